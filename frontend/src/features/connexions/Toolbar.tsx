import { Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Kbd, Segmented, Select, TextInput } from '@/ui'
import type { Filter, Grouping, Where } from './rows'

export interface ToolbarProps {
  filter: Filter
  onFilter: (filter: Filter) => void
  counts: Record<Where, number>
  grouping: Grouping
  onGrouping: (grouping: Grouping) => void
}

export function Toolbar({ filter, onFilter, counts, grouping, onGrouping }: ToolbarProps) {
  const { t } = useTranslation()
  return (
    <div role="search" data-pane className="flex flex-wrap items-center gap-2 px-[var(--px)] pb-2.5">
      <TextInput
        type="search"
        soft
        icon={Search}
        data-page-search=""
        aria-label={t('connexions.search')}
        placeholder={t('connexions.search')}
        value={filter.query}
        onChange={(event) => onFilter({ ...filter, query: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onFilter({ ...filter, query: '' })
        }}
        frameClassName="w-[280px] max-sm:w-full"
        className="[&::-webkit-search-cancel-button]:hidden"
        after={<Kbd>/</Kbd>}
      />
      <Segmented
        label={t('connexions.place')}
        value={filter.where}
        onChange={(where) => onFilter({ ...filter, where })}
        segments={[
          { value: 'all', label: t('connexions.where.all'), count: counts.all },
          { value: 'remote', label: t('connexions.where.remote'), count: counts.remote },
          { value: 'local', label: t('connexions.where.local'), count: counts.local },
        ]}
      />
      <div className="ml-auto flex items-center gap-1.5 text-small text-ink-2 max-md:hidden">
        <span aria-hidden>{t('connexions.groupBy')}</span>
        <Select
          look="chip"
          label={t('connexions.groupBy')}
          value={grouping}
          onChange={onGrouping}
          options={[
            { value: 'location', label: t('connexions.grouping.location') },
            { value: 'state', label: t('connexions.grouping.state') },
            { value: 'none', label: t('connexions.grouping.none') },
          ]}
        />
      </div>
    </div>
  )
}
