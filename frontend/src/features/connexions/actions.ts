import { FileDiff, LogIn, Radar, RotateCw, ScrollText, Stethoscope, type LucideIcon } from 'lucide-react'
import { lacksSignIn } from '@/features/signin'
import type { Server, ServerState } from '@/lib/api'

/** What the one action of a row does. */
export type Does = 'move' | 'try' | 'cancel' | 'sign-in' | 'review' | 'log' | 'diagnose' | 'connect'

export interface RowAction {
  does: Does
  /** Only actions that wait for a person carry an icon and an edge. */
  icon?: LucideIcon
}

const actions: Partial<Record<ServerState, RowAction>> = {
  ready: { does: 'try' },
  starting: { does: 'cancel' },
  installing: { does: 'cancel' },
  needs_sign_in: { does: 'sign-in', icon: LogIn },
  needs_approval: { does: 'review', icon: FileDiff },
  degraded: { does: 'log', icon: ScrollText },
  stopped: { does: 'diagnose', icon: Stethoscope },
}

/** The one action of a state; a server that is off has its switch only, unless that is on and its session was ended. */
export function actionOf(
  server: Pick<Server, 'state' | 'enabled' | 'reason' | 'held_tools' | 'moved'>,
): RowAction | undefined {
  const { state, enabled } = server
  if (server.moved) return { does: 'move', icon: Radar }
  if (state === 'ready' && (server.held_tools ?? 0) > 0) return actions.needs_approval
  if (lacksSignIn(server)) return actions.needs_sign_in
  return state === 'off' && enabled ? { does: 'connect', icon: RotateCw } : actions[state]
}
