import type { SocketShape, Tone } from '@/ui'
import type { Outcome } from './calls'

/** The socket and the colour of each outcome; the word is under activity.outcomes.OUTCOME. */
export const outcomeLooks: Record<Outcome, { shape: SocketShape; tone: Tone }> = {
  running: { shape: 'running', tone: 'accent' },
  succeeded: { shape: 'done', tone: 'ok' },
  refused: { shape: 'denied', tone: 'neutral' },
  failed: { shape: 'stopped', tone: 'danger' },
  cancelled: { shape: 'denied', tone: 'neutral' },
  cancelled_sent: { shape: 'degraded', tone: 'attn' },
  unknown: { shape: 'degraded', tone: 'attn' },
}
