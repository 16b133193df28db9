import { lacksSignIn, SignInPanel, subjectOf } from '@/features/signin'
import type { Server } from '@/lib/api'
import { useRowActions } from './useRowActions'

/** How the sign-in to a saved server goes; nothing while it lacks none. */
export function ServerSignIn({ server, className }: { server: Server; className?: string }) {
  const actions = useRowActions()
  if (!lacksSignIn(server)) return null
  return (
    <SignInPanel
      known
      subject={subjectOf(server)}
      onFields={server.source === 'config.toml' ? undefined : () => actions.edit(server, 'auth')}
      {...(className === undefined ? {} : { className })}
    />
  )
}
