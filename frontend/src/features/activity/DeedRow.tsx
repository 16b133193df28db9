import clsx from 'clsx'
import { useTranslation } from 'react-i18next'
import { formatTime } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Socket, toneText, type SocketShape, type Tone } from '@/ui'
import type { JournalDeed } from './deeds'
import { useDeedWords } from './useDeedWords'

export interface DeedRowProps {
  deed: JournalDeed
  /** Without the kind, since a call is open beside. */
  narrow: boolean
}

/** What somebody decided or changed: time, who did what, what kind of line it is. */
export function DeedRow({ deed, narrow }: DeedRowProps) {
  const { t } = useTranslation()
  const lang = useLang()
  const { who, what } = useDeedWords()(deed)
  const { kind, outcome } = deed.entry
  const look = lookOf(outcome ?? '')
  return (
    <li className="relative flex h-[33px] items-center gap-2.5 px-2.5 text-small [&+li]:before:absolute [&+li]:before:-top-[9px] [&+li]:before:left-[85px] [&+li]:before:h-[18px] [&+li]:before:w-[1.5px] [&+li]:before:bg-line [&+li]:before:content-['']">
      <span className="w-[58px] flex-none text-[12px] text-ink-3 tabular-nums">{formatTime(deed.at, lang, true)}</span>
      <span className="relative z-10 rounded-full bg-canvas">
        <Socket {...look} />
      </span>
      <span title={`${who} ${what}`} className="min-w-0 flex-1 truncate">
        <span className="text-ink-2">{who}</span> <span className={toneText[look.tone]}>{what}</span>
      </span>
      <span
        className={clsx(
          'flex-none truncate text-ink-3',
          narrow ? 'hidden w-[168px] lg:block' : 'w-[168px] max-sm:hidden lg:w-[300px]',
        )}
      >
        {t(`activity.kinds.${kind}`)}
      </span>
      <span className="w-[62px] flex-none" />
    </li>
  )
}

function lookOf(outcome: string): { shape: SocketShape; tone: Tone } {
  if (['refused', 'denied', 'expired', 'lapsed'].includes(outcome)) return { shape: 'denied', tone: 'neutral' }
  if (outcome === 'reached') return { shape: 'done', tone: 'attn' }
  return outcome === 'stopped' ? { shape: 'stopped', tone: 'attn' } : { shape: 'done', tone: 'neutral' }
}
