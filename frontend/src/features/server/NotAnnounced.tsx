import { CircleSlash } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState, Icon } from '@/ui'
import type { SectionName } from './sections'

/** A section that the server does not have: not an error, and nothing to mend here. */
export function NotAnnounced({ section }: { section: SectionName }) {
  const { t } = useTranslation()
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState mark={<Icon of={CircleSlash} size={24} />} title={t(`server.notAnnounced.${section}`)}>
        {t('server.notAnnounced.more')}
      </EmptyState>
    </div>
  )
}
