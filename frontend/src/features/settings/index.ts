export { SettingsPage } from './SettingsPage'
export { useSetting } from './useSetting'
