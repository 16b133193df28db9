import clsx from 'clsx'
import { useTranslation } from 'react-i18next'
import { formatDay } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { TextInput } from '@/ui'
import { Chip } from './Chip'
import { dayName } from './day'
import type { Filters } from './filters'

const DAYS = 7

/** Which day is shown: today, one of the last days, or any other. */
export function DayChip({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const { t } = useTranslation()
  const lang = useLang()
  const choose = (day: string | undefined) => onFilters({ ...filters, day, hours: undefined })
  const label = (day: string | undefined) =>
    day === undefined ? t('activity.today') : formatDay(`${day}T12:00:00`, lang)
  return (
    <Chip
      name={t('activity.day')}
      on={filters.day !== undefined}
      onDrop={() => choose(undefined)}
      panelClassName="w-[220px]! p-2!"
      panel={(close) => (
        <Days
          chosen={filters.day}
          label={label}
          onChoose={(day) => {
            choose(day)
            close()
          }}
        />
      )}
    >
      {label(filters.day)}
    </Chip>
  )
}

interface DaysProps {
  chosen: string | undefined
  label: (day: string | undefined) => string
  onChoose: (day: string | undefined) => void
}

function Days({ chosen, label, onChoose }: DaysProps) {
  const { t } = useTranslation()
  return (
    <>
      <ul>
        {[undefined, ...lastDays()].map((day) => (
          <li key={day ?? 'today'}>
            <button
              type="button"
              aria-current={day === chosen || undefined}
              onClick={() => onChoose(day)}
              className={clsx(
                'flex h-8 w-full items-center rounded-control px-2 text-[13px]',
                day === chosen ? 'bg-selected' : 'hover:bg-hover',
              )}
            >
              {label(day)}
            </button>
          </li>
        ))}
      </ul>
      <TextInput
        type="date"
        aria-label={t('activity.otherDay')}
        value={chosen ?? ''}
        onChange={(event) => {
          if (event.target.value !== '') onChoose(event.target.value)
        }}
        frameClassName="mt-1"
      />
    </>
  )
}

function lastDays(): string[] {
  return Array.from({ length: DAYS - 1 }, (_, n) => {
    const day = new Date()
    day.setDate(day.getDate() - n - 1)
    return dayName(day)
  })
}
