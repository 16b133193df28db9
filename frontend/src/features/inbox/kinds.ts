import {
  Ban,
  Check,
  Clock,
  Eye,
  FileDiff,
  Link2,
  Minus,
  Pencil,
  Sparkles,
  TextCursorInput,
  TriangleAlert,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import type { InboxRequest } from '@/lib/api'

export type MarkTone = 'accent' | 'danger' | 'attn' | 'mute'

export interface Mark {
  icon: LucideIcon
  tone: MarkTone
}

const kindMarks: Record<Exclude<InboxRequest['kind'], 'tool'>, Mark> = {
  sampling: { icon: Sparkles, tone: 'accent' },
  elicitation_form: { icon: TextCursorInput, tone: 'accent' },
  elicitation_url: { icon: Link2, tone: 'attn' },
  definition: { icon: FileDiff, tone: 'attn' },
}

const effectMarks = {
  reads: { icon: Eye, tone: 'accent' },
  writes: { icon: Pencil, tone: 'attn' },
  destroys: { icon: TriangleAlert, tone: 'danger' },
} as const

const closedIcons: Record<InboxRequest['status'], LucideIcon> = {
  waiting: Wrench,
  approved: Check,
  denied: Minus,
  expired: Clock,
  lapsed: Ban,
}

/** The icon of a request in the list: its kind while it waits, its answer afterwards. */
export function markOf(request: InboxRequest): Mark {
  if (request.status !== 'waiting') return { icon: closedIcons[request.status], tone: 'mute' }
  return request.kind === 'tool' ? effectMarks[request.effect ?? 'writes'] : kindMarks[request.kind]
}
