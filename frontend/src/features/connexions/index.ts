export { ConnexionsPage } from './ConnexionsPage'
