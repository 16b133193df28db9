import { Cpu } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useServers } from '@/features/connexions'
import { iconOf, useCallerName } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { Line, Route, Socket, Stop } from '@/ui'

/** The server, the gate, the model; a text that was written goes the other way. */
export function TextRoute({ request, model }: { request: InboxRequest; model: string | undefined }) {
  const { t } = useTranslation()
  const callerName = useCallerName()
  const found = useServers().data?.find(({ id }) => id === request.server)
  const waits = request.status === 'waiting'
  const isAnswer = request.text_for !== undefined
  const gone = request.status === 'approved' && !request.failure
  const { caller } = request
  const server = (
    <Stop
      icon={iconOf(found ?? { transport: 'stdio', name: request.server })}
      name={found?.name ?? request.server}
      note={
        caller.kind === 'server'
          ? t('inbox.text.asksIt')
          : t('inbox.text.asksFor', { who: callerName(caller), tool: request.tool })
      }
    />
  )
  const written = isAnswer && typeof request.params?.model === 'string' ? request.params.model : undefined
  const brain = (
    <Stop
      icon={Cpu}
      name={written ?? model ?? t('inbox.toModel')}
      note={t(isAnswer ? 'inbox.text.wrote' : 'inbox.text.writes')}
    />
  )
  return (
    <div className="my-3.5">
      <Route label={t('inbox.route')}>
        {isAnswer ? brain : server}
        <Line />
        <Stop
          gate={waits}
          mark={<Socket shape={waits ? 'hold' : 'done'} tone={waits ? 'attn' : 'neutral'} size={18} />}
          name="Apollia"
          note={t(
            waits
              ? isAnswer
                ? 'inbox.text.notGiven'
                : 'inbox.text.notSent'
              : request.answer
                ? 'inbox.gateDone'
                : 'inbox.gateNone',
          )}
        />
        <Line dashed={!gone} />
        {isAnswer ? server : brain}
      </Route>
    </div>
  )
}
