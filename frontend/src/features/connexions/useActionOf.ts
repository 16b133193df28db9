import { isSigningIn, useAttempt } from '@/features/signin'
import type { Server } from '@/lib/api'
import { actionOf, type RowAction } from './actions'

/** The one action of a server now; none while a person is signing in to it, which has its own buttons. */
export function useActionOf(server: Server): RowAction | undefined {
  const attempt = useAttempt(server.id, server.state === 'needs_sign_in')
  const action = actionOf(server)
  return action?.does === 'sign-in' && isSigningIn(attempt) ? undefined : action
}
