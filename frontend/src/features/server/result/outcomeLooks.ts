import type { SocketShape, Tone } from '@/ui'
import type { Outcome } from './result'

/** The socket and the colour of each outcome; the word is under server.result.outcomes.OUTCOME. */
export const outcomeLooks: Record<Outcome, { shape: SocketShape; tone: Tone }> = {
  running: { shape: 'running', tone: 'accent' },
  asked: { shape: 'hold', tone: 'attn' },
  waiting: { shape: 'hold', tone: 'attn' },
  succeeded: { shape: 'done', tone: 'ok' },
  empty: { shape: 'off', tone: 'neutral' },
  tool_error: { shape: 'stopped', tone: 'danger' },
  refused_by_rule: { shape: 'denied', tone: 'neutral' },
  refused_by_person: { shape: 'denied', tone: 'neutral' },
  expired: { shape: 'denied', tone: 'neutral' },
  unknown: { shape: 'degraded', tone: 'attn' },
  cancelled: { shape: 'denied', tone: 'neutral' },
  cancelled_sent: { shape: 'degraded', tone: 'attn' },
  unsupported: { shape: 'degraded', tone: 'attn' },
  failed: { shape: 'stopped', tone: 'danger' },
}
