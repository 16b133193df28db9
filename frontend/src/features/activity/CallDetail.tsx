import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { EffectMark, useFailureWords } from '@/features/vocabulary'
import type { Effect } from '@/lib/api'
import { formatBytes, formatDuration, formatNumber, formatDay, formatTime, daysAgo } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import type { Json } from '@/lib/json'
import { IconButton, KeyValue, KeyValueList, StateWord } from '@/ui'
import { CallFoot } from './CallFoot'
import { CallPart } from './CallPart'
import { CallWire } from './CallWire'
import { effectOf, type Effects, type JournalCall } from './calls'
import { outcomeLooks } from './outcomes'
import { useAsked, useKept } from './queries'
import { sentArguments } from './sentArguments'
import { useOutcomeWord } from './useCallWords'

export interface CallDetailProps {
  call: JournalCall
  /** The request that the call waits for now. */
  requestId: string | undefined
  effects: Effects
  onStep: (by: -1 | 1) => void
  onClose: () => void
}

/** One call: its route with the time of each stage, what was sent, what came back, its link of the chain. */
export function CallDetail({ call, requestId, effects, onStep, onClose }: CallDetailProps) {
  const { t } = useTranslation()
  const lang = useLang()
  const { entry } = call
  const effect = effectOf(call, effects)
  const asked = requestId ?? entry.request_id
  const kept = useKept(call, asked)
  const sent = sentArguments(entry, kept.call.data, kept.request.data)
  const result = kept.call.data?.result?.raw as Json | undefined
  useEscape(onClose)
  return (
    <aside
      data-pane
      aria-label={t('activity.detail.label', { name: entry.name })}
      className="flex w-[356px] flex-none flex-col border-l border-line bg-surface [--wire-ground:var(--bg-surface)] max-[999px]:absolute max-[999px]:inset-y-0 max-[999px]:right-0 max-[999px]:z-30 max-[999px]:shadow-dialog"
    >
      <Head call={call} onStep={onStep} onClose={onClose} />
      <div className="min-h-0 flex-1 overflow-y-auto px-[18px] pt-2 pb-3.5">
        <Outcome call={call} waits={requestId !== undefined} effect={effect} />
        <CallWire call={call} />
        <WhyEnded call={call} />
        {entry.call_kind !== 'resource' && (
          <CallPart
            title={t('activity.detail.arguments')}
            note={sent.edited ? t('activity.detail.edited') : undefined}
            value={sent.value}
            absent={t('activity.detail.digestOnly')}
          />
        )}
        <CallPart
          title={t('activity.detail.result')}
          note={entry.bytes ? formatBytes(entry.bytes, lang) : undefined}
          value={result}
          absent={t('activity.detail.notKept')}
        />
        <ChainLink call={call} asked={asked} />
      </div>
      <CallFoot call={call} isSafe={effect === 'reads'} args={sent.value} />
    </aside>
  )
}

function Head({ call, onStep, onClose }: Pick<CallDetailProps, 'call' | 'onStep' | 'onClose'>) {
  const { t } = useTranslation()
  const lang = useLang()
  const time = exactTime(call.at, lang)
  return (
    <div className="flex items-center gap-1 pt-3.5 pr-2.5 pb-2.5 pl-[18px]">
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-code text-[14px] leading-5 font-semibold [font-feature-settings:normal]">
          {call.entry.name}
        </h2>
        <div className="text-small text-ink-3">
          {daysAgo(call.at) === 0 ? t('activity.detail.todayAt', { time }) : `${formatDay(call.at, lang)}, ${time}`}
        </div>
      </div>
      <IconButton icon={ChevronUp} label={t('activity.detail.newer')} onClick={() => onStep(-1)} />
      <IconButton icon={ChevronDown} label={t('activity.detail.older')} onClick={() => onStep(1)} />
      <IconButton icon={X} label={t('common.close')} onClick={onClose} />
    </div>
  )
}

function Outcome({ call, waits, effect }: { call: JournalCall; waits: boolean; effect: Effect | undefined }) {
  const { t } = useTranslation()
  const lang = useLang()
  const outcomeWord = useOutcomeWord()
  const { entry, outcome } = call
  const asked = useAsked(call)
  const look = waits || asked ? ({ shape: 'hold', tone: 'attn' } as const) : outcomeLooks[outcome]
  return (
    <div className="mb-3 flex items-center gap-2.5">
      <StateWord {...look}>
        {asked ? t('activity.why.asked') : waits ? t('activity.why.waits') : outcomeWord(call)}
      </StateWord>
      {outcome !== 'running' && (
        <span className="text-small text-ink-2 tabular-nums">{formatDuration(entry.duration_ms ?? 0, lang)}</span>
      )}
      <span className="flex-1" />
      {effect && <EffectMark effect={effect} />}
    </div>
  )
}

/** What stopped the call, in a sentence, and what to do when nobody knows whether it ran. */
function WhyEnded({ call: { entry, outcome } }: { call: JournalCall }) {
  const failure = useFailureWords()
  if (!entry.code) return null
  const code = outcome === 'cancelled_sent' ? 'canceled_sent' : entry.code
  const { what, fix } = failure({ code, message: code })
  const open = outcome === 'cancelled_sent' || outcome === 'unknown'
  const tone = open ? 'text-attn-text' : outcome === 'failed' ? 'text-danger-text' : 'text-ink-2'
  return <p className={`mt-3 text-small ${tone}`}>{open ? `${what} ${fix}` : what}</p>
}

/** Where the call stands in the chain of the journal, and the request that asked a person. */
function ChainLink({ call: { entry }, asked }: { call: JournalCall; asked: string | undefined }) {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <div className="mt-3.5">
      <KeyValueList>
        <KeyValue name={t('activity.detail.link')}>
          <span className="mono">{`${formatNumber(entry.seq, lang)} · ${shortHash(entry.hash ?? '')}`}</span>
        </KeyValue>
        {entry.arguments_digest && (
          <KeyValue name={t('activity.detail.digest')}>
            <span className="mono">{shortHash(entry.arguments_digest)}</span>
          </KeyValue>
        )}
        {asked && (
          <KeyValue name={t('activity.detail.request')}>
            <Link to="/inbox/$id" params={{ id: asked }}>
              {t('activity.detail.openRequest')}
            </Link>
          </KeyValue>
        )}
      </KeyValueList>
    </div>
  )
}

function useEscape(onClose: () => void): void {
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const above = document.querySelector('[role="dialog"], [role="menu"]')
      if (event.key === 'Escape' && !event.defaultPrevented && !above) latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

function exactTime(at: string, lang: 'fr' | 'en'): string {
  const ms = String(new Date(at).getMilliseconds()).padStart(3, '0')
  return `${formatTime(at, lang, true)}${lang === 'fr' ? ',' : '.'}${ms}`
}

function shortHash(hash: string): string {
  return hash.length > 12 ? `${hash.slice(0, 4)}…${hash.slice(-4)}` : hash
}
