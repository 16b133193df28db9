import { useTranslation } from 'react-i18next'
import { Checkbox } from '@/ui'
import type { Row } from './deeds'
import { filterValues, toggled, type FilterKey, type Filters } from './filters'
import { useFilterWords } from './useFilterWords'

export interface FilterSectionProps {
  name: FilterKey
  filters: Filters
  onFilters: (filters: Filters) => void
  rows: readonly Row[]
  titled?: boolean
}

/** The values of one filter, ticked or not. */
export function FilterSection({ name, filters, onFilters, rows, titled = false }: FilterSectionProps) {
  const { t } = useTranslation()
  const words = useFilterWords()
  const values = filterValues(name, filters, rows)
  return (
    <fieldset className="min-w-0">
      <legend className={titled ? 'mb-1 text-small font-medium' : 'sr-only'}>{t(`activity.filters.${name}`)}</legend>
      {values.length === 0 && <p className="text-small text-ink-3">{t('activity.filters.nothing')}</p>}
      <div className="max-h-72 space-y-1.5 overflow-y-auto">
        {values.map((value) => (
          <Checkbox
            key={value}
            className="text-small"
            on={filters[name].includes(value)}
            onChange={() => onFilters(toggled(filters, name, value))}
          >
            {words.value(name, value)}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
