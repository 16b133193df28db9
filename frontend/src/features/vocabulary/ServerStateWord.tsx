import { useTranslation } from 'react-i18next'
import type { ServerState } from '@/lib/api'
import { StateWord, type SocketShape, type Tone } from '@/ui'

/** The socket and the colour of each state; the word is under states.STATE. */
export const stateLooks: Record<ServerState, { shape: SocketShape; tone: Tone }> = {
  ready: { shape: 'ready', tone: 'ok' },
  starting: { shape: 'running', tone: 'accent' },
  installing: { shape: 'running', tone: 'accent' },
  needs_sign_in: { shape: 'signin', tone: 'attn' },
  needs_approval: { shape: 'hold', tone: 'attn' },
  degraded: { shape: 'degraded', tone: 'attn' },
  stopped: { shape: 'stopped', tone: 'danger' },
  off: { shape: 'off', tone: 'neutral' },
}

export function ServerStateWord({ state }: { state: ServerState }) {
  const { t } = useTranslation()
  return <StateWord {...stateLooks[state]}>{t(`states.${state}`)}</StateWord>
}
