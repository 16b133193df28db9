import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberInput } from '@/ui'
import { keptNumber, shownNumber, type NumberSetting } from './numbers'
import { SettingRow } from './SettingRow'
import { useSetting } from './useSetting'

/** A number with its unit; it is taken when the field is left or Enter is pressed. */
export function NumberRow({ number }: { number: NumberSetting }) {
  const { t } = useTranslation()
  const { setting, value, fixed, change } = useSetting(number.key)
  const [typed, setTyped] = useState<{ number: number | undefined }>()
  const shown = typed ? typed.number : shownNumber(number, value)
  const kept = keptNumber(number, shown)
  const name = t(`settings.numbers.${key(number)}.name`)
  const take = () => {
    if (typed && kept !== undefined && kept !== value) change(kept === '' ? undefined : kept)
    if (kept !== undefined) setTyped(undefined)
  }
  const bounds = { min: number.min, max: number.max }
  return (
    <SettingRow
      name={name}
      note={
        kept === undefined ? (
          <span className="text-danger-text">{t('settings.numbers.bounds', bounds)}</span>
        ) : (
          t(`settings.numbers.${key(number)}.note`)
        )
      }
      setting={setting}
    >
      <NumberInput
        aria-label={name}
        aria-invalid={kept === undefined}
        readOnly={fixed}
        value={shown}
        placeholder={String(shownNumber(number, setting?.default ?? '') ?? '')}
        {...(number.unit ? { unit: t(`settings.units.${number.unit}`) } : {})}
        onChange={(next) => setTyped({ number: next })}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take()
        }}
        frameClassName="w-[116px]"
      />
    </SettingRow>
  )
}

/** Words have no dots in their keys. */
const key = (number: NumberSetting) => number.key.replace('.', '_')
