export { filterKeys, type Search } from './filters'
export { RecentCalls } from './RecentCalls'
