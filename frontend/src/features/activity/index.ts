export { ActivityPage } from './ActivityPage'
export { type Search } from './filters'
export { RecentCalls } from './RecentCalls'
