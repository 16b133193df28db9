export { FolderList } from './FolderList'
