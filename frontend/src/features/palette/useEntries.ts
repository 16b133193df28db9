import { Activity, Cable, Inbox, Radar, ScanSearch, Settings2, ShieldCheck } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllTools, useServers } from '@/features/connexions'
import { listRequests } from '@/lib/api'
import { entriesOf, generalActions, type Entry } from './entries'

/** Everything that can be found, and what waits for a person. */
export function useEntries(open: boolean): { all: Entry[]; waiting: Entry[] } {
  const { t } = useTranslation()
  const servers = useServers().data
  const tools = useAllTools().data
  const waiting = useQuery({
    queryKey: ['inbox', 'waiting'],
    queryFn: ({ signal }) => listRequests('waiting', signal),
    enabled: open,
  }).data?.requests
  return useMemo(() => {
    const page = (
      key: 'connexions' | 'inbox' | 'activity' | 'policy' | 'explorer' | 'preferences' | 'settings',
      icon: Entry['icon'],
      to: PageAddress,
    ): Entry => ({
      key: `page:${key}`,
      group: 'elsewhere',
      icon,
      label: t(`shell.sections.${key}`),
      choice: { go: 'page', to },
    })
    const pages = [
      page('connexions', Cable, '/'),
      page('inbox', Inbox, '/inbox'),
      page('activity', Activity, '/activity'),
      page('policy', ShieldCheck, '/policy'),
      page('explorer', ScanSearch, '/tools'),
      page('preferences', Radar, '/preferences'),
      page('settings', Settings2, '/settings'),
    ]
    const sources = { servers: servers ?? [], tools: tools ?? [], waiting: waiting ?? [] }
    return {
      all: entriesOf(sources, [...generalActions(t), ...pages], t),
      waiting: sources.waiting.map((request): Entry => ({
        key: `request:${request.id}`,
        group: 'waiting',
        icon: Inbox,
        label: `${request.server}.${request.tool}`,
        code: true,
        note: t('palette.waits'),
        ...(request.effect ? { effect: request.effect } : {}),
        choice: { go: 'request', id: request.id },
      })),
    }
  }, [servers, tools, waiting, t])
}

type PageAddress = Extract<Entry['choice'], { go: 'page' }>['to']
