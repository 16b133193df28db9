import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState, QuietWire } from '@/ui'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <main className="grid h-full place-items-center bg-canvas">
      <EmptyState
        page
        mark={<QuietWire />}
        title={t('notFound.title')}
        actions={<Link to="/">{t('notFound.back')}</Link>}
      >
        {t('notFound.body')}
      </EmptyState>
    </main>
  )
}
