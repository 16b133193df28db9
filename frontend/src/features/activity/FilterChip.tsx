import clsx from 'clsx'
import { ChevronDown, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, Popover } from '@/ui'
import type { JournalCall } from './calls'
import { FilterSection } from './FilterSection'
import { without, type FilterKey, type Filters } from './filters'
import { useFilterWords } from './useFilterWords'

export interface FilterChipProps {
  name: FilterKey
  filters: Filters
  onFilters: (filters: Filters) => void
  calls: readonly JournalCall[]
}

/** A filter: its name, what it lets through, the way to drop it. */
export function FilterChip({ name, filters, onFilters, calls }: FilterChipProps) {
  const { t } = useTranslation()
  const words = useFilterWords()
  const [open, setOpen] = useState(false)
  const on = filters[name].length > 0
  const label = t(`activity.filters.${name}`)
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
        label={label}
        className="w-[240px]!"
        trigger={
          <button
            type="button"
            className={clsx(
              'flex h-full items-center gap-1.5 rounded-[14px] pl-2.5',
              on ? 'pr-1 font-medium' : 'pr-2.5',
            )}
          >
            {label}
            {on ? (
              <b className="max-w-[180px] truncate font-medium">{words.chosen(name, filters)}</b>
            ) : (
              <Icon of={ChevronDown} size={13} />
            )}
          </button>
        }
      >
        <div className="space-y-3">
          {sectionsIn(name).map((section, _, all) => (
            <FilterSection
              key={section}
              name={section}
              filters={filters}
              onFilters={onFilters}
              calls={calls}
              titled={all.length > 1}
            />
          ))}
        </div>
      </Popover>
      {on && (
        <button
          type="button"
          aria-label={t('activity.filters.drop', { name: label })}
          className="mr-0.5 grid size-6 place-items-center rounded-full hover:bg-hover"
          onClick={() => onFilters(without(filters, name))}
        >
          <Icon of={X} size={13} />
        </button>
      )}
    </span>
  )
}

/** What was decided and how it ended are two sides of one question. */
function sectionsIn(name: FilterKey): FilterKey[] {
  return name === 'verdict' ? ['verdict', 'outcome'] : [name]
}
