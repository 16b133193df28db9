export { settingKeys, type Preferences } from './preferences'
export { settingsScope, useChangeSetting, useIsOn, usePreferences, useSettings, useStatus } from './queries'
