import { useTranslation } from 'react-i18next'
import { ServerSignIn, useActionOf, useRowActions } from '@/features/connexions'
import { stateLooks, useFailureWords } from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { Button, Code, EmptyState, Socket } from '@/ui'

/** Whether calls can be made now. */
export const isUsable = ({ state, unconfirmed }: Server) =>
  state === 'ready' || state === 'degraded' || (state === 'needs_approval' && unconfirmed !== true)

/** What is said of a state that has no reason. */
const quiet: Partial<Record<Server['state'], string>> = { off: 'server.offMore', installing: 'server.installingMore' }

/** Why nothing can be called, what to do, and the one action. */
export function NotReady({ server }: { server: Server }) {
  const { t } = useTranslation()
  const actions = useRowActions()
  const words = useFailureWords()
  const action = useActionOf(server)
  const disconnected = server.state === 'off' && server.enabled
  const reason = disconnected ? undefined : server.reason && words(server.reason)
  const proof = server.reason?.proof ?? server.last_line
  return (
    <div className="flex flex-1 flex-col items-center justify-center-safe overflow-y-auto bg-surface px-4">
      <EmptyState
        mark={<Socket {...stateLooks[server.state]} size={24} />}
        title={t(`states.${server.state}`)}
        actions={
          server.state === 'off' && !server.enabled ? (
            <Button look="primary" onClick={() => actions.switchTo(server, true)}>
              {t('server.switchOn')}
            </Button>
          ) : (
            action && (
              <Button
                {...(action.icon ? { icon: action.icon } : {})}
                onClick={() => actions.perform(action.does, server)}
              >
                {t(`connexions.actions.${action.does}`)}
              </Button>
            )
          )
        }
      >
        {reason
          ? `${reason.what} ${reason.fix}`
          : t(disconnected ? 'server.disconnectedMore' : (quiet[server.state] ?? 'server.startingMore'))}
        {proof && (
          <Code wrap className="mt-3 max-h-40 text-left">
            {proof}
          </Code>
        )}
      </EmptyState>
      <ServerSignIn server={server} className="w-full max-w-[520px]" />
    </div>
  )
}
