import { lacksSignIn, useAttempt } from '@/features/signin'
import type { Server } from '@/lib/api'
import { actionOf, type RowAction } from './actions'

/** The one action of a server now; none beside an attempt to sign in, which has its own buttons. */
export function useActionOf(server: Server): RowAction | undefined {
  const attempt = useAttempt(server.id, lacksSignIn(server))
  const action = actionOf(server)
  const attempted = attempt !== null && attempt.is !== 'done'
  return action?.does === 'sign-in' && attempted ? undefined : action
}
