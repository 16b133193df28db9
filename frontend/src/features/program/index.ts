export { settingKeys, type Preferences } from './preferences'
export { useChangeSetting, usePreferences, useSettings, useStatus } from './queries'
