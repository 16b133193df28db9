import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNetwork } from '@/features/network'
import { useSettings } from '@/features/program'
import { FailureNote } from '@/features/vocabulary'
import { CardList, Icon, PageBody, PageHead, SectionTitle } from '@/ui'
import { AnnouncedRow } from './AnnouncedRow'
import { AnnounceRow } from './AnnounceRow'
import { SearchRow } from './SearchRow'

/** What Connexions looks for beyond this computer, and what is seen of it from there. Both are off at first. */
export function PreferencesPage() {
  const { t } = useTranslation()
  const settings = useSettings()
  const network = useNetwork()
  const error = settings.error ?? network.error
  return (
    <>
      <PageHead
        before={
          <Link
            to="/"
            aria-label={t('preferences.back')}
            className="grid size-7 flex-none place-items-center rounded-control text-ink-2 hover:bg-hover"
          >
            <Icon of={ArrowLeft} size={16} />
          </Link>
        }
        title={t('preferences.title')}
      />
      <PageBody>
        {error && <FailureNote error={error} onRetry={() => network.refetch()} className="mb-4" />}
        {settings.data && network.data && (
          <section aria-labelledby="preferences-network" className="max-w-[860px]">
            <SectionTitle id="preferences-network">{t('network.title')}</SectionTitle>
            <CardList>
              <SearchRow view={network.data} />
              {network.data.announced.map((announced) => (
                <AnnouncedRow key={announced.server} announced={announced} />
              ))}
              <AnnounceRow announced={network.data.announced} />
            </CardList>
          </section>
        )}
      </PageBody>
    </>
  )
}
