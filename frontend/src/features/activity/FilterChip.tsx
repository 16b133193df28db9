import { useTranslation } from 'react-i18next'
import { Chip } from './Chip'
import type { Row } from './deeds'
import { FilterSection } from './FilterSection'
import { without, type FilterKey, type Filters } from './filters'
import { useFilterWords } from './useFilterWords'

export interface FilterChipProps {
  name: FilterKey
  filters: Filters
  onFilters: (filters: Filters) => void
  rows: readonly Row[]
}

/** A filter: its name, what it lets through, the way to drop it. */
export function FilterChip({ name, filters, onFilters, rows }: FilterChipProps) {
  const { t } = useTranslation()
  const words = useFilterWords()
  const on = filters[name].length > 0
  const label = t(`activity.filters.${name}`)
  return (
    <Chip
      name={label}
      on={on}
      onDrop={() => onFilters(without(filters, name))}
      panelClassName="w-[240px]!"
      panel={() => (
        <div className="space-y-3">
          {sectionsIn(name).map((section, _, all) => (
            <FilterSection
              key={section}
              name={section}
              filters={filters}
              onFilters={onFilters}
              rows={rows}
              titled={all.length > 1}
            />
          ))}
        </div>
      )}
    >
      {label}
      {on && <b className="max-w-[180px] truncate font-medium">{words.chosen(name, filters)}</b>}
    </Chip>
  )
}

/** What was decided and how it ended are two sides of one question. */
function sectionsIn(name: FilterKey): FilterKey[] {
  return name === 'verdict' ? ['verdict', 'outcome'] : [name]
}
