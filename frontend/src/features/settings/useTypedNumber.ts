import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keptNumber, shownNumber, type NumberSetting } from './numbers'
import { onEnter } from './onEnter'
import { useSetting } from './useSetting'

/** A setting as a field of a number: it is taken when the field is left or Enter is pressed. isOut is one out of bounds. */
export function useTypedNumber(number: NumberSetting) {
  const { t } = useTranslation()
  const { setting, value, fixed, change } = useSetting(number.key)
  const [typed, setTyped] = useState<{ number: number | undefined }>()
  const shown = typed ? typed.number : shownNumber(number, value)
  const kept = keptNumber(number, shown)
  const take = () => {
    if (typed && kept !== undefined && kept !== value) change(kept === '' ? undefined : kept)
    if (kept !== undefined) setTyped(undefined)
  }
  return {
    setting,
    isOut: kept === undefined,
    field: {
      readOnly: fixed,
      value: shown,
      placeholder: String(shownNumber(number, setting?.default ?? '') ?? ''),
      ...(number.unit ? { unit: t(`settings.units.${number.unit}`) } : {}),
      onChange: (next: number | undefined) => setTyped({ number: next }),
      onBlur: take,
      onKeyDown: onEnter(take),
    },
  }
}
