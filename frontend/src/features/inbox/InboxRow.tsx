import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { Icon } from '@/ui'
import { markOf, type MarkTone } from './kinds'
import type { Card } from './queue'
import { useRequestWords } from './useRequestWords'

const tones: Record<MarkTone, string> = {
  accent: 'bg-accent-soft text-accent-text',
  danger: 'bg-danger-soft text-danger-text',
  attn: 'bg-attn-soft text-attn-text',
  mute: 'border border-line text-ink-3',
}

/** One card in the list: what, from whom to whom, since when. */
export function InboxRow({ card, open, now }: { card: Card; open: boolean; now: Date }) {
  const words = useRequestWords()
  const { request } = card
  const { icon, tone } = markOf(request)
  const waits = request.status === 'waiting'
  return (
    <Link
      to="/inbox/$id"
      params={{ id: request.id }}
      data-request={request.id}
      aria-current={open || undefined}
      className={clsx(
        'group mx-2 flex min-h-[52px] items-start gap-[11px] rounded-lg px-2.5 py-2 text-ink no-underline',
        open ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      <span
        className={clsx(
          'mt-[5px] grid size-[26px] flex-none place-items-center rounded-[7px]',
          tones[tone],
          open && 'bg-surface!',
        )}
      >
        <Icon of={icon} size={15} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span
            title={words.what(card)}
            className={clsx('min-w-0 flex-1 truncate', waits ? 'font-medium' : 'text-ink-2')}
          >
            {words.what(card)}
          </span>
          <span className={clsx('text-caption', open ? 'text-ink-2' : 'text-ink-3')}>{words.when(request, now)}</span>
        </span>
        <span
          title={words.who(request)}
          className={clsx('block truncate text-caption', open ? 'text-ink-2' : 'text-ink-3')}
        >
          {words.who(request)}
        </span>
      </span>
    </Link>
  )
}
