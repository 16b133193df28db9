import { useTranslation } from 'react-i18next'
import { actionOf, useRowActions } from '@/features/connexions'
import { stateLooks, useFailureWords } from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { Button, Code, EmptyState, Socket } from '@/ui'

/** Whether calls can be made now. */
export const isUsable = ({ state }: Server) => state === 'ready' || state === 'degraded' || state === 'needs_approval'

/** Why nothing can be called, what to do, and the one action. */
export function NotReady({ server }: { server: Server }) {
  const { t } = useTranslation()
  const actions = useRowActions()
  const words = useFailureWords()
  const action = actionOf(server.state)
  const reason = server.reason && words(server.reason)
  return (
    <div className="grid flex-1 place-items-center overflow-y-auto bg-surface">
      <EmptyState
        mark={<Socket {...stateLooks[server.state]} size={24} />}
        title={t(`states.${server.state}`)}
        actions={
          server.state === 'off' ? (
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
        {reason ? `${reason.what} ${reason.fix}` : t(server.state === 'off' ? 'server.offMore' : 'server.startingMore')}
        {server.reason?.proof && (
          <Code wrap className="mt-3 max-h-40 text-left">
            {server.reason.proof}
          </Code>
        )}
      </EmptyState>
    </div>
  )
}
