export { ApprovalInPlace } from './ApprovalInPlace'
export { InboxPage } from './InboxPage'
