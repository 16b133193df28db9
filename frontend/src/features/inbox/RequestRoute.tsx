import type { TFunction } from 'i18next'
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
  const isQuestion = request.kind !== 'tool'
  const user = request.caller.user === 'local' ? asking(request, t) : t('inbox.user', { user: request.caller.user })
  return (
    <div className="my-3.5">
      <Route label={t('inbox.route')}>
        {request.caller.kind !== 'server' && (
          <>
            <Stop icon={callerIcons[request.caller.kind]} name={callerName(request.caller)} note={user} />
            <Line />
          </>
        )}
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
          note={isQuestion ? t('inbox.asksIt') : server ? t(`trust.${server.trust}`) : request.server}
        />
      </Route>
    </div>
  )
}

const asking = ({ kind, tool }: InboxRequest, t: TFunction) =>
  kind === 'tool' || tool === '' ? t('inbox.asking') : t('inbox.called', { tool })
