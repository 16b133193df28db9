import { Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { settingKeys } from '@/features/program'
import { Segmented, Switch } from '@/ui'
import { SettingRow } from './SettingRow'
import { useSetting } from './useSetting'

export function LanguageRow() {
  const { t } = useTranslation()
  const { setting, value, change } = useSetting(settingKeys.language)
  return (
    <SettingRow name={t('settings.language')} setting={setting}>
      <Segmented
        small
        label={t('settings.language')}
        value={value}
        onChange={change}
        segments={[
          { value: 'system', label: t('settings.system') },
          { value: 'fr', label: 'Français' },
          { value: 'en', label: 'English' },
        ]}
      />
    </SettingRow>
  )
}

export function ThemeRow() {
  const { t } = useTranslation()
  const { setting, value, change } = useSetting(settingKeys.theme)
  return (
    <SettingRow name={t('settings.theme')} setting={setting}>
      <Segmented
        small
        label={t('settings.theme')}
        value={value}
        onChange={change}
        segments={[
          { value: 'system', label: t('settings.system') },
          { value: 'light', label: t('settings.light'), icon: Sun },
          { value: 'dark', label: t('settings.dark'), icon: Moon },
        ]}
      />
    </SettingRow>
  )
}

/** A setting that is on or off. */
export function SwitchRow({ settingKey, name, note }: { settingKey: string; name: string; note?: string }) {
  const { setting, value, fixed, change } = useSetting(settingKey)
  return (
    <SettingRow name={name} {...(note === undefined ? {} : { note })} setting={setting}>
      <Switch on={value === 'true'} inactive={fixed} label={name} onChange={(on) => change(String(on))} />
    </SettingRow>
  )
}
