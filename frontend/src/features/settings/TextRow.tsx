import { Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton, TextInput } from '@/ui'
import { SettingRow } from './SettingRow'
import { useTypedText } from './useTypedText'

export interface TextRowProps {
  settingKey: string
  name: string
  note: string
  /** What an empty text means. */
  none: string
}

/** A text that a machine reads; it is taken when the field is left or Enter is pressed. An empty one is a value too. */
export function TextRow({ settingKey, name, note, none }: TextRowProps) {
  const { t } = useTranslation()
  const { setting, type, toStandard, field } = useTypedText(settingKey)
  return (
    <SettingRow name={name} note={note} setting={setting}>
      {toStandard && (
        <IconButton
          icon={Undo2}
          size={14}
          label={t('settings.toDefault', { name, value: setting?.default })}
          onClick={toStandard}
        />
      )}
      <TextInput
        code
        aria-label={name}
        title={setting?.value}
        {...field}
        placeholder={none}
        onChange={(event) => type(event.target.value)}
        frameClassName="w-[210px]"
      />
    </SettingRow>
  )
}
