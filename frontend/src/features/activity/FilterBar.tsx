import { Search, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Popover, TextInput } from '@/ui'
import { DayChip } from './DayChip'
import { FilterChip } from './FilterChip'
import { FilterSection } from './FilterSection'
import type { Row } from './deeds'
import { activeFilters, filterKeys, without, type Filters } from './filters'

export interface FilterBarProps {
  filters: Filters
  onFilters: (filters: Filters) => void
  rows: readonly Row[]
  /** Only the filters that are on, and one button for the others. */
  compact: boolean
}

/** Words, and one chip per filter. */
export function FilterBar({ filters, onFilters, rows, compact }: FilterBarProps) {
  const { t } = useTranslation()
  const active = activeFilters(filters)
  const on = filterKeys.filter((key) => filters[key].length > 0)
  const clear = () => onFilters(active.reduce(without, filters))
  // The outcome is chosen beside the verdict; it gets a chip of its own once it filters.
  const off = filterKeys.filter((key) => key !== 'outcome' && !on.includes(key))
  const drawn = compact ? on : [...on, ...off]
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-[var(--px)] pb-3">
      <TextInput
        soft
        icon={Search}
        data-page-search
        aria-label={t('activity.search')}
        placeholder={t('activity.search')}
        value={filters.text}
        onChange={(event) => onFilters({ ...filters, text: event.target.value })}
        frameClassName={`h-7! text-small! ${compact || active.length > 0 ? 'w-[168px]' : 'w-[220px] max-md:w-[168px]'}`}
      />
      {drawn.map((key) => (
        <FilterChip key={key} name={key} filters={filters} onFilters={onFilters} rows={rows} />
      ))}
      {compact && <OtherFilters filters={filters} onFilters={onFilters} rows={rows} />}
      {!compact && <DayChip filters={filters} onFilters={onFilters} />}
      <span className="flex-1" />
      {active.length > 0 && !compact && (
        <Button look="link" className="text-small" onClick={clear}>
          {t('common.clear')}
        </Button>
      )}
    </div>
  )
}

type PartProps = Omit<FilterBarProps, 'compact'>

function OtherFilters({ filters, onFilters, rows }: PartProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const others = filterKeys.filter((key) => filters[key].length === 0)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('activity.filters.others')}
      trigger={
        <Button
          small
          icon={SlidersHorizontal}
          className="rounded-[14px]! text-ink-2! [&:not(:focus-visible)]:shadow-none"
        >
          {t('activity.filters.others')}
        </Button>
      }
    >
      <div className="max-h-[60vh] space-y-3 overflow-y-auto">
        {others.map((key) => (
          <FilterSection key={key} name={key} filters={filters} onFilters={onFilters} rows={rows} titled />
        ))}
      </div>
    </Popover>
  )
}
