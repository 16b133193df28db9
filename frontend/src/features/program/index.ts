export { settingKeys, type Preferences } from './preferences'
export { settingsScope, useChangeSetting, usePreferences, useSettings, useStatus } from './queries'
