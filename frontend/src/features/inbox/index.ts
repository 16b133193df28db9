export { ApprovalInPlace } from './ApprovalInPlace'
export { InboxPage } from './InboxPage'
export { InPlaceProvider, useInPlace, useShownInPlace } from './InPlace'
export { useWaitingIds } from './queries'
