import { useTranslation } from 'react-i18next'
import { NumberInput } from '@/ui'
import type { NumberSetting } from './numbers'
import { SettingRow } from './SettingRow'
import { useTypedNumber } from './useTypedNumber'

/** A number with its unit. */
export function NumberRow({ number }: { number: NumberSetting }) {
  const { t } = useTranslation()
  const { setting, isOut, field } = useTypedNumber(number)
  const name = t(`settings.numbers.${key(number)}.name`)
  const { min, max } = number
  return (
    <SettingRow
      name={name}
      note={
        isOut ? (
          <span className="text-danger-text">{t('settings.numbers.bounds', { min, max })}</span>
        ) : (
          t(`settings.numbers.${key(number)}.note`)
        )
      }
      setting={setting}
    >
      <NumberInput aria-label={name} aria-invalid={isOut} {...field} frameClassName="w-[116px]" />
    </SettingRow>
  )
}

/** Words have no dots in their keys. */
const key = (number: NumberSetting) => number.key.replace('.', '_')
