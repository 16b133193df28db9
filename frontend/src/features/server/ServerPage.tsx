import { useNavigate } from '@tanstack/react-router'
import { CircleSlash } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MovedNote } from '@/features/network'
import { useFailureWords } from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { Button, EmptyState, Icon, Skeleton, SkeletonRow, TabPanel, Tabs } from '@/ui'
import { LogTab } from './log/LogTab'
import { sectionsOf, tabOf, type TabName } from './sections'
import { PromptsTab } from './PromptsTab'
import { useServer } from './queries'
import { ResourcesTab } from './ResourcesTab'
import { ServerHead } from './ServerHead'
import { StateLine } from './StateLine'
import { SettingsTab } from './settings/SettingsTab'
import { ToolsTab } from './ToolsTab'
import { TrafficColumn } from './traffic/TrafficColumn'
import { useTrafficOpen } from './traffic/useTrafficOpen'

/** What the page's address says of it. */
export interface Search {
  tab?: string
  /** The tool that is open. */
  tool?: string
  /** The resource or prompt to open first. */
  item?: string
  /** The call whose arguments fill the form in. */
  from?: string
}

/** One server: what it offers, what it wrote, how it is set. */
export function ServerPage({ id, search }: { id: string; search: Search }) {
  const { t } = useTranslation()
  const server = useServer(id)
  if (server.isError && !server.data) return <Gone error={server.error} />
  if (!server.data) {
    return (
      <>
        <h1 className="sr-only">{t('server.loading')}</h1>
        <Skeleton label={t('server.loading')}>
          <SkeletonRow />
        </Skeleton>
      </>
    )
  }
  return <Page server={server.data} search={search} />
}

/** There is no such server, or it cannot be read: why, and the way back. */
function Gone({ error }: { error: Error }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { what, fix } = useFailureWords()(error)
  return (
    <div role="alert" className="grid flex-1 place-items-center">
      <EmptyState
        page
        mark={<Icon of={CircleSlash} size={24} />}
        title={what}
        actions={<Button onClick={() => void navigate({ to: '/' })}>{t('server.back')}</Button>}
      >
        {fix}
      </EmptyState>
    </div>
  )
}

function Page({ server, search }: { server: Server; search: Search }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [traffic, setTraffic] = useTrafficOpen()
  const sections = sectionsOf(server)
  const tab = tabOf(search.tab, sections)
  const open = (next: string) =>
    void navigate({ to: '/servers/$id', params: { id: server.id }, search: { tab: next }, replace: true })
  const missing = sections.filter((section) => section.state === 'missing')
  return (
    <>
      <ServerHead server={server} />
      <MovedNote server={server} className="mx-[var(--px)] mb-2" />
      <StateLine server={server} tab={tab} />
      <Tabs
        value={tab}
        onChange={open}
        label={t('server.tabs.label')}
        tabs={[
          ...sections
            .filter(({ name, state }) => state !== 'missing' || name === tab)
            .map(({ name, count }) => ({ value: name, label: t(`server.tabs.${name}`), count })),
          { value: 'logs', label: t('server.tabs.logs') },
          { value: 'settings', label: t('server.tabs.settings') },
        ]}
        after={missing.length > 0 && <NotAnnounced names={missing.map((section) => section.name)} />}
      >
        <div data-traffic={traffic ? 'open' : 'closed'} className="group/page flex min-h-0 min-w-0 flex-1">
          <Panels server={server} tab={tab} search={search} />
          <TrafficColumn server={server} open={traffic} onOpen={setTraffic} />
        </div>
      </Tabs>
    </>
  )
}

function Panels({ server, tab, search }: { server: Server; tab: TabName; search: Search }) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <TabPanel value={tab}>
        {tab === 'tools' && <ToolsTab server={server} open={search.tool} from={search.from} />}
        {tab === 'resources' && <ResourcesTab server={server} first={search.item} />}
        {tab === 'prompts' && <PromptsTab server={server} first={search.item} from={search.from} />}
        {tab === 'logs' && <LogTab server={server} />}
        {tab === 'settings' && <SettingsTab key={server.updated_at} server={server} />}
      </TabPanel>
    </div>
  )
}

/** The sections that the server does not have, where a person would look for them. */
function NotAnnounced({ names }: { names: readonly string[] }) {
  const { t } = useTranslation()
  const list = names.map((name) => t(`server.tabs.${name}`).toLowerCase()).join(', ')
  return (
    <span className="ml-auto truncate pt-1 text-caption text-ink-3">{t('server.notAnnounced.these', { list })}</span>
  )
}
