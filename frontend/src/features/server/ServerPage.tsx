import { useNavigate } from '@tanstack/react-router'
import { CircleSlash } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { Button, EmptyState, Icon, Skeleton, SkeletonRow, TabPanel, Tabs } from '@/ui'
import { LogTab } from './log/LogTab'
import { sectionsOf, tabOf, type TabName } from './sections'
import { PromptsTab } from './PromptsTab'
import { useServer } from './queries'
import { ResourcesTab } from './ResourcesTab'
import { ServerHead } from './ServerHead'
import { SettingsTab } from './settings/SettingsTab'
import { ToolsTab } from './ToolsTab'
import { TrafficColumn } from './traffic/TrafficColumn'
import { useTrafficOpen } from './traffic/useTrafficOpen'

export interface ServerPageProps {
  id: string
  tab: string | undefined
  /** The tool that is open. */
  tool: string | undefined
}

/** One server: what it offers, what it wrote, how it is set. */
export function ServerPage({ id, tab, tool }: ServerPageProps) {
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
  return <Page server={server.data} wanted={tab} tool={tool} />
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

function Page({ server, wanted, tool }: { server: Server; wanted: string | undefined; tool: string | undefined }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [traffic, setTraffic] = useTrafficOpen()
  const sections = sectionsOf(server)
  const tab = tabOf(wanted, sections)
  const open = (next: string) =>
    void navigate({ to: '/servers/$id', params: { id: server.id }, search: { tab: next }, replace: true })
  const missing = sections.filter((section) => section.state === 'missing')
  return (
    <>
      <ServerHead server={server} />
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
          <Panels server={server} tab={tab} tool={tool} />
          <TrafficColumn server={server} open={traffic} onOpen={setTraffic} />
        </div>
      </Tabs>
    </>
  )
}

function Panels({ server, tab, tool }: { server: Server; tab: TabName; tool: string | undefined }) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <TabPanel value={tab}>
        {tab === 'tools' && <ToolsTab server={server} open={tool} />}
        {tab === 'resources' && <ResourcesTab server={server} />}
        {tab === 'prompts' && <PromptsTab server={server} />}
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
