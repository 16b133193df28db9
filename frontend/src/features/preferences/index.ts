export { PreferencesPage } from './PreferencesPage'
