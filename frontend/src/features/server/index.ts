export { ServerPage } from './ServerPage'
