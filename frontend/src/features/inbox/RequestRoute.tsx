import { useTranslation } from 'react-i18next'
import { useServers } from '@/features/connexions'
import { callerIcons, iconOf, useCallerName } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { Line, Route, Socket, Stop } from '@/ui'

/** Who asks, the gate, who answers. */
export function RequestRoute({ request }: { request: InboxRequest }) {
  const { t } = useTranslation()
  const callerName = useCallerName()
  const server = useServers().data?.find(({ id }) => id === request.server)
  const waits = request.status === 'waiting'
  const user = request.caller.user === 'local' ? t('inbox.asking') : t('inbox.user', { user: request.caller.user })
  return (
    <div className="my-3.5">
      <Route label={t('inbox.route')}>
        <Stop icon={callerIcons[request.caller.kind]} name={callerName(request.caller)} note={user} />
        <Line />
        <Stop
          gate={waits}
          mark={<Socket shape={waits ? 'hold' : 'done'} tone={waits ? 'attn' : 'neutral'} size={18} />}
          name="Apollia"
          note={t(waits ? 'inbox.gate' : 'inbox.gateDone')}
        />
        <Line dashed={request.status !== 'approved'} />
        <Stop
          icon={iconOf(server ?? { transport: 'stdio', name: request.server })}
          name={server?.name ?? request.server}
          note={server ? t(`trust.${server.trust}`) : request.server}
        />
      </Route>
    </div>
  )
}
