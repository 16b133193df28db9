import { Activity, SearchX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, EmptyState, Icon } from '@/ui'
import type { Effects, JournalCall } from './calls'
import { activeFilters, without, type Filters } from './filters'
import { relief } from './matching'
import { useFilterWords } from './useFilterWords'

export interface NoCallsProps {
  calls: readonly JournalCall[]
  filters: Filters
  effects: Effects
  /** There are calls, and filters hide them all. */
  filtered: boolean
  onFilters: (filters: Filters) => void
}

/** Nothing to show: which filter to drop and what it would bring, or how to make a call. */
export function NoCalls({ calls, filters, effects, filtered, onFilters }: NoCallsProps) {
  const { t } = useTranslation()
  const words = useFilterWords()
  const best = filtered ? relief(calls, filters, effects) : undefined
  const value = best && words.active(best.drop, filters)
  return (
    <div className="grid flex-1 place-items-center pb-6">
      <EmptyState
        mark={<Icon of={filtered ? SearchX : Activity} size={24} />}
        title={t(filtered ? 'activity.empty.filtered' : filters.day ? 'activity.empty.day' : 'activity.empty.title')}
        actions={
          filtered && (
            <>
              {best && (
                <Button small look="ghost" onClick={() => onFilters(without(filters, best.drop))}>
                  {t('activity.empty.drop', { value })}
                </Button>
              )}
              <Button small onClick={() => onFilters(activeFilters(filters).reduce(without, filters))}>
                {t('activity.empty.clear')}
              </Button>
            </>
          )
        }
      >
        {filtered ? best && t('activity.empty.without', { value, count: best.calls }) : t('activity.empty.more')}
      </EmptyState>
    </div>
  )
}
