import { useCallback, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Server } from '@/lib/api'
import { Card, SectionTitle, Socket } from '@/ui'
import type { Group } from './rows'
import { ServerRow } from './ServerRow'
import { StopDialog } from './StopDialog'
import { useRowActions } from './useRowActions'

/** The groups of servers: arrows move from row to row over all of them. */
export function ServerGroups({ groups }: { groups: readonly Group[] }) {
  const { t } = useTranslation()
  const actions = useRowActions()
  const [current, setCurrent] = useState<string>()
  const [stopping, setStopping] = useState<Server>()
  const ids = groups.flatMap((group) => group.servers.map((server) => server.id))
  const stop = current !== undefined && ids.includes(current) ? current : ids[0]

  const onSwitch = (server: Server, on: boolean) => {
    if (!on && server.running_calls > 0) setStopping(server)
    else actions.switchTo(server, on)
  }
  const onCurrent = useCallback((id: string) => setCurrent(id), [])
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
    const at = rows.indexOf(event.target as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    rows[to]?.focus()
  }
  return (
    <div role="presentation" onKeyDown={press}>
      {groups.map((group) => (
        <section key={group.key} aria-labelledby={`group-${group.key}`} className="[&+section]:mt-4">
          <SectionTitle
            id={`group-${group.key}`}
            note={group.servers.length}
            {...(group.key === 'attention' ? { mark: <Socket shape="hold" tone="attn" size={14} /> } : {})}
          >
            {t(`connexions.groups.${group.key}`)}
          </SectionTitle>
          <Card>
            <ul className="[&>*+*]:border-t [&>*+*]:border-line-subtle">
              {group.servers.map((server) => (
                <ServerRow
                  key={server.id}
                  server={server}
                  actions={actions}
                  current={server.id === stop}
                  onCurrent={onCurrent}
                  onSwitch={onSwitch}
                />
              ))}
            </ul>
          </Card>
        </section>
      ))}
      <StopDialog
        server={stopping}
        onStop={(server) => actions.switchTo(server, false)}
        onClose={() => setStopping(undefined)}
      />
    </div>
  )
}
