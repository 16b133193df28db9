import { useState } from 'react'
import { TextInput } from '@/ui'
import { SettingRow } from './SettingRow'
import { useSetting } from './useSetting'

export interface TextRowProps {
  settingKey: string
  name: string
  note: string
  placeholder?: string
}

/** A text that a machine reads; it is taken when the field is left or Enter is pressed, and an empty one is the default. */
export function TextRow({ settingKey, name, note, placeholder }: TextRowProps) {
  const { setting, value, fixed, change } = useSetting(settingKey)
  const [typed, setTyped] = useState<string>()
  const take = () => {
    if (typed !== undefined && typed.trim() !== value) change(typed.trim())
    setTyped(undefined)
  }
  return (
    <SettingRow name={name} note={note} setting={setting}>
      <TextInput
        code
        aria-label={name}
        readOnly={fixed}
        value={typed ?? value}
        placeholder={placeholder ?? setting?.default ?? ''}
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
