import clsx from 'clsx'
import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import { useCallerName } from '@/features/vocabulary'
import { formatDuration, formatElapsed, formatTime } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Socket, toneText } from '@/ui'
import { titleOf, type JournalCall } from './calls'
import { outcomeLooks } from './outcomes'
import { useAsked } from './queries'
import { useCallWords } from './useCallWords'

export interface CallRowProps {
  call: JournalCall
  open: boolean
  tabIndex: number
  /** It waits for a person. */
  waits: boolean
  /** Without the verdict, since the call is open beside. */
  narrow: boolean
  now: Date
  onOpen: (id: string) => void
}

/** Time, outcome, who → what, verdict with its rule, duration. */
export function CallRow({ call, open, tabIndex, waits, narrow, now, onOpen }: CallRowProps) {
  const { t } = useTranslation()
  const lang = useLang()
  const callerName = useCallerName()
  const serverName = useServerName()
  const asked = useAsked(call)
  const { text, tone } = useCallWords()(call, waits, asked)
  const { entry, outcome } = call
  const look = waits || asked ? { shape: 'hold' as const, tone: 'attn' as const } : outcomeLooks[outcome]
  const name = titleOf(entry, serverName(entry.server))
  const muted = open ? 'text-ink-2' : 'text-ink-3'
  return (
    <li className="relative [&+li]:before:absolute [&+li]:before:-top-[9px] [&+li]:before:left-[85px] [&+li]:before:h-[18px] [&+li]:before:w-[1.5px] [&+li]:before:bg-line [&+li]:before:content-['']">
      <button
        type="button"
        data-call={call.id}
        tabIndex={tabIndex}
        aria-current={open || undefined}
        onClick={() => onOpen(call.id)}
        className={clsx(
          'flex h-[33px] w-full items-center gap-2.5 rounded-control px-2.5 text-left text-small',
          open ? 'bg-selected' : 'hover:bg-hover',
        )}
      >
        <span className={clsx('w-[58px] flex-none text-[12px] tabular-nums', muted)}>
          {formatTime(call.at, lang, true)}
        </span>
        <span className={clsx('relative z-10 rounded-full', open ? 'bg-selected' : 'bg-canvas')}>
          <Socket {...look} />
        </span>
        <span className="sr-only">{t(`activity.outcomes.${outcome}`)}</span>
        <span title={`${callerName(entry.caller)} → ${name}`} className="min-w-0 flex-1 truncate">
          <span className="text-ink-2">{callerName(entry.caller)}</span> <span className={muted}>→</span>{' '}
          <span className="font-code text-[12.5px] font-medium [font-feature-settings:normal]">{name}</span>
        </span>
        <span
          title={text}
          className={clsx(
            'flex-none truncate',
            tone === 'neutral' ? muted : toneText[tone],
            waits && 'font-medium',
            narrow ? 'hidden w-[168px] lg:block' : 'w-[168px] max-sm:hidden lg:w-[300px]',
          )}
        >
          {text}
        </span>
        <span
          className={clsx(
            'w-[62px] flex-none text-right tabular-nums',
            outcome === 'failed' && entry.code === 'call_timeout' ? 'text-danger-text' : 'text-ink-2',
          )}
        >
          {outcome === 'running'
            ? formatElapsed(now.getTime() - Date.parse(call.at), lang)
            : outcome === 'refused' || outcome === 'cancelled'
              ? '—'
              : formatDuration(entry.duration_ms ?? 0, lang)}
        </span>
      </button>
    </li>
  )
}
