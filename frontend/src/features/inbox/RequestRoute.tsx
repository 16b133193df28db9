import type { TFunction } from 'i18next'
import { Globe } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useServers } from '@/features/connexions'
import { callerIcons, iconOf, useCallerName } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { Line, Route, Socket, Stop } from '@/ui'
import { isSetup } from './setup'

/** Who asks, the gate, who answers. */
export function RequestRoute({ request }: { request: InboxRequest }) {
  const { t } = useTranslation()
  const waits = request.status === 'waiting'
  const isPage = request.kind === 'elicitation_url'
  return (
    <div className="my-3.5">
      <Route label={t('inbox.route')}>
        {isPage ? <ServerStop request={request} /> : <CallerStop request={request} />}
        <Stop
          gate={waits}
          mark={<Socket shape={waits ? 'hold' : 'done'} tone={waits ? 'attn' : 'neutral'} size={18} />}
          name="Apollia"
          note={t(waits ? 'inbox.gate' : request.answer ? 'inbox.gateDone' : 'inbox.gateNone')}
        />
        <Line dashed={request.status !== 'approved'} />
        {isPage ? <BrowserStop request={request} /> : <ServerStop request={request} />}
      </Route>
    </div>
  )
}

function CallerStop({ request }: { request: InboxRequest }) {
  const { t } = useTranslation()
  const callerName = useCallerName()
  if (request.caller.kind === 'server') return null
  const user = request.caller.user === 'local' ? asking(request, t) : t('inbox.user', { user: request.caller.user })
  return (
    <>
      <Stop icon={callerIcons[request.caller.kind]} name={callerName(request.caller)} note={user} />
      <Line />
    </>
  )
}

/** The server: as the one that is called, or at the beginning as the one that asks, with for whom. */
function ServerStop({ request }: { request: InboxRequest }) {
  const { t } = useTranslation()
  const callerName = useCallerName()
  const server = useServers().data?.find(({ id }) => id === request.server)
  const stop = (note: string) => (
    <Stop
      icon={iconOf(server ?? { transport: 'stdio', name: request.server })}
      name={server?.name ?? request.server}
      note={note}
    />
  )
  const trust = server ? t(`trust.${server.trust}`) : request.server
  if (isSetup(request)) return stop(t(request.status === 'approved' ? 'inbox.setup.accepted' : 'inbox.setup.held'))
  if (request.kind !== 'elicitation_url') return stop(request.kind === 'tool' ? trust : t('inbox.asksIt'))
  const { caller } = request
  return (
    <>
      {stop(caller.kind === 'server' ? trust : t('inbox.user', { user: callerName(caller) }))}
      <Line />
    </>
  )
}

function BrowserStop({ request }: { request: InboxRequest }) {
  const { t } = useTranslation()
  const opened = request.status === 'approved' || request.address?.opened === true
  return (
    <Stop
      icon={Globe}
      name={t('inbox.page.browser')}
      note={t(opened ? 'inbox.page.opened' : 'inbox.page.nothingOpen')}
    />
  )
}

const asking = ({ kind, tool }: InboxRequest, t: TFunction) =>
  kind === 'tool' || tool === '' ? t('inbox.asking') : t('inbox.called', { tool })
