import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import type { ActiveFilter, FilterKey, Filters } from './filters'

/** What the values of filters are called. */
export function useFilterWords() {
  const { t } = useTranslation()
  const serverName = useServerName()
  const value = (key: FilterKey, text: string): string => {
    switch (key) {
      case 'kind':
        return t(`activity.kinds.${text}`)
      case 'verdict':
        return t(`verdicts.${text}`)
      case 'outcome':
        return t(`activity.outcomes.${text}`)
      case 'risk':
        return t(`effects.${text}`)
      case 'client':
        return text === 'window' || text === 'cli' ? t(`callers.${text}`) : text
      case 'server':
        return serverName(text)
    }
  }
  const chosen = (key: FilterKey, filters: Filters) => {
    const [first = '', ...others] = filters[key]
    return others.length === 0 ? value(key, first) : `${value(key, first)}, +${others.length}`
  }
  const active = (key: ActiveFilter, filters: Filters): string => {
    if (key === 'text') return filters.text
    if (key === 'day') return filters.day ?? ''
    if (key !== 'hours') return chosen(key, filters)
    const [from = 0, to = 0] = filters.hours ?? []
    return from === to ? t('activity.hour', { hour: from }) : t('activity.hours', { from, to })
  }
  return { value, chosen, active }
}
