import { useTranslation } from 'react-i18next'
import { PageHead } from '@/ui'

export function ConnexionsPage() {
  const { t } = useTranslation()
  return <PageHead title={t('connexions.title')} />
}
