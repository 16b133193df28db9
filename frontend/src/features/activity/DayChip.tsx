import clsx from 'clsx'
import { ChevronDown, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Icon, Popover, TextInput } from '@/ui'
import { dayName } from './day'
import type { Filters } from './filters'

const DAYS = 7

/** Which day is shown: today, one of the last days, or any other. */
export function DayChip({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const { t } = useTranslation()
  const lang = useLang()
  const [open, setOpen] = useState(false)
  const on = filters.day !== undefined
  const choose = (day: string | undefined) => {
    onFilters({ ...filters, day, hours: undefined })
    setOpen(false)
  }
  const label = (day: string | undefined) =>
    day === undefined ? t('activity.today') : formatDay(`${day}T12:00:00`, lang)
  return (
    <span
      className={clsx(
        'inline-flex h-7 items-center rounded-[14px] border text-small',
        on ? 'border-accent-line bg-selected text-ink' : 'border-line bg-surface text-ink-2',
      )}
    >
      <Popover
        open={open}
        onOpenChange={setOpen}
        label={t('activity.day')}
        className="w-[220px]! p-2!"
        trigger={
          <button
            type="button"
            className={clsx(
              'flex h-full items-center gap-1.5 rounded-[14px] pl-2.5',
              on ? 'pr-1 font-medium' : 'pr-2.5',
            )}
          >
            {label(filters.day)}
            {!on && <Icon of={ChevronDown} size={13} />}
          </button>
        }
      >
        <Days chosen={filters.day} label={label} onChoose={choose} />
      </Popover>
      {on && (
        <button
          type="button"
          aria-label={t('activity.filters.drop', { name: t('activity.day') })}
          className="mr-0.5 grid size-6 place-items-center rounded-full hover:bg-hover"
          onClick={() => choose(undefined)}
        >
          <Icon of={X} size={13} />
        </button>
      )}
    </span>
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
