import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextInput } from '@/ui'
import { SettingRow } from './SettingRow'
import { useSetting } from './useSetting'

/** A file of authorities besides the system's; it is taken when the field is left or Enter is pressed. */
export function AuthoritiesRow() {
  const { t } = useTranslation()
  const { setting, value, fixed, change } = useSetting('tls.ca_file')
  const [typed, setTyped] = useState<string>()
  const take = () => {
    if (typed !== undefined && typed.trim() !== value) change(typed.trim())
    setTyped(undefined)
  }
  return (
    <SettingRow name={t('settings.authorities')} note={t('settings.authoritiesMore')} setting={setting}>
      <TextInput
        code
        aria-label={t('settings.authorities')}
        readOnly={fixed}
        value={typed ?? value}
        placeholder={t('settings.authoritiesNone')}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take()
        }}
        frameClassName="w-[210px]"
      />
    </SettingRow>
  )
}
