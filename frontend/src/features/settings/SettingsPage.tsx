import { Search, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { fold } from '@/features/connexions'
import { useSettings, useStatus } from '@/features/program'
import { FailureNote } from '@/features/vocabulary'
import { native } from '@/lib/native'
import {
  Button,
  CardList,
  EmptyState,
  Icon,
  Kbd,
  PageBody,
  PageHead,
  SectionTitle,
  Skeleton,
  SkeletonRow,
  TextInput,
} from '@/ui'
import { useLinkedRow } from './useLinkedRow'
import { useSections, type Section } from './useSections'

/** Short cards of settings. Each change is taken at once; there is nothing to save. */
export function SettingsPage() {
  const { t } = useTranslation()
  const settings = useSettings()
  const [filter, setFilter] = useState('')
  const wanted = fold(filter)
  const [left, right] = useSections()
  useLinkedRow(settings.data !== undefined)
  const found = (sections: Section[]) =>
    sections.filter(({ key, words }) => fold([t(`settings.sections.${key}`), ...words].join(' ')).includes(wanted))
  const columns = [found(left), found(right)]
  return (
    <>
      <PageHead
        title={t('settings.title')}
        facts={t('settings.facts')}
        actions={
          <TextInput
            soft
            icon={Search}
            data-page-search
            aria-label={t('settings.search')}
            placeholder={t('settings.search')}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            after={<Kbd>/</Kbd>}
            frameClassName="w-[210px]"
          />
        }
      />
      <PageBody className="pt-0!">
        {settings.isError && <FailureNote error={settings.error} onRetry={() => settings.refetch()} className="mb-4" />}
        {settings.isPending && <Loading />}
        {settings.data && columns.every((column) => column.length === 0) && (
          <EmptyState
            title={t('settings.noMatch', { query: filter })}
            actions={<Button onClick={() => setFilter('')}>{t('common.clear')}</Button>}
          />
        )}
        <div className="grid grid-cols-2 gap-x-5 gap-y-4 max-md:grid-cols-1">
          {settings.data &&
            columns.map((column, n) => (
              <div key={n} className="min-w-0">
                {column.map((section) => (
                  <Card key={section.key} section={section} />
                ))}
              </div>
            ))}
        </div>
      </PageBody>
      <Foot />
    </>
  )
}

/** The settings are not known yet, so nothing is shown as on or off. */
function Loading() {
  const { t } = useTranslation()
  return (
    <Skeleton label={t('settings.title')}>
      <CardList className="max-w-[640px]">
        {[96, 124, 82, 140].map((width) => (
          <SkeletonRow key={width} name={width} note={width + 60} />
        ))}
      </CardList>
    </Skeleton>
  )
}

function Card({ section: { key, code, rows } }: { section: Section }) {
  const { t } = useTranslation()
  return (
    <section className="mt-4 first:mt-0">
      <SectionTitle {...(code === undefined ? {} : { note: <span className="mono">{code}</span> })}>
        {t(`settings.sections.${key}`)}
      </SectionTitle>
      <CardList>{rows}</CardList>
    </section>
  )
}

/** What is never sent, and which version this is. */
function Foot() {
  const version = useStatus().data?.version
  return (
    <footer className="flex items-center gap-2 border-t border-line px-[var(--px)] py-2.5 text-caption text-ink-3">
      <Icon of={ShieldCheck} size={14} />
      <span className="min-w-0 flex-1">
        <Trans i18nKey="settings.noTelemetry" components={{ b: <b className="font-medium" /> }} />
      </span>
      {version && <Version of={version} />}
    </footer>
  )
}

/** The version; in the window it opens the about box. */
function Version({ of: version }: { of: string }) {
  const words = useTranslation().t('settings.version', { version })
  const about = native('About')
  if (!about) return <span className="flex-none">{words}</span>
  return (
    <button className="flex-none underline decoration-dotted underline-offset-2" onClick={() => void about()}>
      {words}
    </button>
  )
}
