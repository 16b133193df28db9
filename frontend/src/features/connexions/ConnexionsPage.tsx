import { useNavigate } from '@tanstack/react-router'
import { CircleAlert, Plus, SearchX, ScanSearch, Settings2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FirstRun } from '@/features/firstrun'
import { NetworkDock } from '@/features/network'
import { useStatus } from '@/features/program'
import { FailureNote, useFailureWords } from '@/features/vocabulary'
import { isUnreachable, type Server } from '@/lib/api'
import { Button, CardList, EmptyState, Icon, IconButton, Note, PageBody, PageHead, Skeleton, SkeletonRow } from '@/ui'
import { Facts } from './Facts'
import { useServers, useToolNames } from './queries'
import { countByPlace, filterServers, groupServers, type Filter, type Grouping } from './rows'
import { ServerGroups } from './ServerGroups'
import { Toolbar } from './Toolbar'

/** What is connected, what waits for a person first. Without a server it is the first run. */
export function ConnexionsPage() {
  const { t } = useTranslation()
  const servers = useServers()
  if (servers.data === undefined) {
    return (
      <>
        <PageHead title={t('connexions.title')} />
        <PageBody>
          {servers.error && !isUnreachable(servers.error) ? (
            <FailureNote error={servers.error} onRetry={() => servers.refetch()} />
          ) : (
            <Loading />
          )}
        </PageBody>
      </>
    )
  }
  return servers.data.length === 0 ? (
    <>
      <FirstRun />
      <NetworkDock />
    </>
  ) : (
    <ServerList servers={servers.data} />
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <Skeleton label={t('connexions.loading')}>
      <CardList>
        {[96, 124, 82, 140, 104, 90].map((width, n) => (
          <SkeletonRow key={width} name={width} note={176 - 5 * n} />
        ))}
      </CardList>
    </Skeleton>
  )
}

function ServerList({ servers }: { servers: readonly Server[] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const tools = useToolNames()
  const [filter, setFilter] = useState<Filter>({ query: '', where: 'all' })
  const [grouping, setGrouping] = useGrouping()
  const groups = useMemo(
    () => groupServers(filterServers(servers, filter, tools), grouping),
    [servers, filter, tools, grouping],
  )
  return (
    <>
      <PageHead
        title={t('connexions.title')}
        facts={<Facts servers={servers} />}
        actions={
          <>
            <IconButton
              icon={ScanSearch}
              label={t('connexions.tools')}
              onClick={() => void navigate({ to: '/tools' })}
              className="my-0.5"
            />
            <Button look="ghost" icon={Settings2} onClick={() => void navigate({ to: '/preferences' })}>
              {t('connexions.preferences')}
            </Button>
            <Button look="primary" icon={Plus} onClick={() => void navigate({ to: '/add' })}>
              {t('connexions.add')}
            </Button>
          </>
        }
      />
      <Toolbar
        filter={filter}
        onFilter={setFilter}
        counts={countByPlace(servers)}
        grouping={grouping}
        onGrouping={setGrouping}
      />
      <PageBody>
        <Problems />
        {groups.length > 0 ? (
          <ServerGroups groups={groups} />
        ) : (
          <EmptyState
            mark={<Icon of={SearchX} size={24} />}
            title={t('connexions.noMatch', { query: filter.query })}
            actions={
              <Button small onClick={() => setFilter({ query: '', where: 'all' })}>
                {t('connexions.clear')}
              </Button>
            }
          />
        )}
      </PageBody>
      <NetworkDock />
    </>
  )
}

/** What a person should know of the whole program, such as a config.toml that cannot be read. */
function Problems() {
  const words = useFailureWords()
  const problems = useStatus().data?.problems ?? []
  return problems.map((problem) => (
    <Note key={problem.message} tone="attn" icon={CircleAlert} className="mb-3">
      <b className="font-semibold">{words(problem).what}</b> {words(problem).fix}
    </Note>
  ))
}

const kept = 'apollia.connexions.grouping'
const groupings: readonly string[] = ['location', 'state', 'none'] satisfies Grouping[]

function useGrouping(): [Grouping, (grouping: Grouping) => void] {
  const [grouping, setGrouping] = useState<Grouping>(() => {
    const before = localStorage.getItem(kept) ?? ''
    return groupings.includes(before) ? (before as Grouping) : 'location'
  })
  return [
    grouping,
    (next) => {
      localStorage.setItem(kept, next)
      setGrouping(next)
    },
  ]
}
