export { ExplorerPage } from './ExplorerPage'
