import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton, TextInput } from '@/ui'
import { SettingRow } from './SettingRow'
import { useSetting } from './useSetting'

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
  const { setting, value, fixed, change } = useSetting(settingKey)
  const [typed, setTyped] = useState<string>()
  const standard = setting?.default ?? ''
  const take = () => {
    const text = typed?.trim() ?? value
    if (text !== value) change(text === standard ? undefined : text)
    setTyped(undefined)
  }
  return (
    <SettingRow name={name} note={note} setting={setting}>
      {standard !== '' && value !== standard && !fixed && (
        <IconButton
          icon={Undo2}
          size={14}
          label={t('settings.toDefault', { name, value: standard })}
          onClick={() => change(undefined)}
        />
      )}
      <TextInput
        code
        aria-label={name}
        title={value}
        readOnly={fixed}
        value={typed ?? value}
        placeholder={none}
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
