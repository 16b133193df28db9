import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Copy, RotateCw, X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EffectMark, useFailureWords } from '@/features/vocabulary'
import { formatBytes, formatDuration, formatNumber, formatDay, formatTime, daysAgo } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { isObject, writeJson, type Json, type JsonObject } from '@/lib/json'
import { Button, IconButton, JsonCode, KeyValue, KeyValueList, PageFoot, StateWord, useToast } from '@/ui'
import { CallWire } from './CallWire'
import { effectOf, type Effects, type JournalCall } from './calls'
import { outcomeLooks } from './outcomes'
import { useKept, useReplay } from './queries'

export interface CallDetailProps {
  call: JournalCall
  effects: Effects
  onStep: (by: -1 | 1) => void
  onClose: () => void
}

/** One call: its route with the time of each stage, what was sent, what came back, its link of the chain. */
export function CallDetail({ call, effects, onStep, onClose }: CallDetailProps) {
  const { t } = useTranslation()
  const lang = useLang()
  const failure = useFailureWords()
  const { entry, outcome } = call
  const effect = effectOf(call, effects)
  const kept = useKept(call.id, entry.request_id)
  const params = (entry.arguments ?? kept.request.data?.params?.arguments) as Json | undefined
  const result = kept.call.data?.result?.raw as Json | undefined
  useEscape(onClose)
  return (
    <aside
      data-pane
      aria-label={t('activity.detail.label', { name: entry.name })}
      className="flex w-[356px] flex-none flex-col border-l border-line bg-surface [--wire-ground:var(--bg-surface)] max-[999px]:absolute max-[999px]:inset-y-0 max-[999px]:right-0 max-[999px]:z-30 max-[999px]:shadow-dialog"
    >
      <div className="flex items-center gap-1 pt-3.5 pr-2.5 pb-2.5 pl-[18px]">
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-code text-[13px] leading-5 font-semibold [font-feature-settings:normal]">
            {entry.name}
          </h2>
          <div className="text-small text-ink-3">{exactTime(call.at, lang)}</div>
        </div>
        <IconButton icon={ChevronUp} label={t('activity.detail.newer')} onClick={() => onStep(-1)} />
        <IconButton icon={ChevronDown} label={t('activity.detail.older')} onClick={() => onStep(1)} />
        <IconButton icon={X} label={t('common.close')} onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-[18px] pt-2 pb-3.5">
        <div className="mb-3 flex items-center gap-2.5">
          <StateWord {...outcomeLooks[outcome]}>{t(`activity.outcomes.${outcome}`)}</StateWord>
          {outcome !== 'running' && (
            <span className="text-small text-ink-2 tabular-nums">{formatDuration(entry.duration_ms ?? 0, lang)}</span>
          )}
          <span className="flex-1" />
          {effect && <EffectMark effect={effect} />}
        </div>
        <CallWire call={call} />
        {entry.code && (
          <p className="mt-3 text-small text-danger-text">{failure({ code: entry.code, message: entry.code }).what}</p>
        )}
        <Part title={t('activity.detail.arguments')} value={params} absent={t('activity.detail.digestOnly')} />
        <Part
          title={t('activity.detail.result')}
          note={entry.bytes ? formatBytes(entry.bytes, lang) : undefined}
          value={result}
          absent={t('activity.detail.notKept')}
        />
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
            {entry.request_id && (
              <KeyValue name={t('activity.detail.request')}>
                <Link to="/inbox/$id" params={{ id: entry.request_id }}>
                  {t('activity.detail.openRequest')}
                </Link>
              </KeyValue>
            )}
          </KeyValueList>
        </div>
      </div>
      <Foot call={call} isSafe={effect === 'reads'} args={isObject(params) ? params : undefined} />
    </aside>
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

function Part({
  title,
  note,
  value,
  absent,
}: {
  title: ReactNode
  note?: ReactNode
  value: Json | undefined
  absent: string
}) {
  const { t } = useTranslation()
  const toast = useToast()
  const text = value === undefined ? '' : writeJson(value, 2)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(() => toast({ tone: 'ok', text: t('common.copied') }))
  return (
    <>
      <div className="mt-3.5 mb-1.5 flex min-h-7 items-center gap-2">
        <h3 className="text-small font-semibold">{title}</h3>
        {note !== undefined && <span className="text-caption text-ink-3">{note}</span>}
        <span className="flex-1" />
        {value !== undefined && <IconButton icon={Copy} label={t('common.copy')} onClick={copy} />}
      </div>
      {value === undefined ? (
        <p className="text-small text-ink-3">{absent}</p>
      ) : (
        <JsonCode className="max-h-72" text={text.slice(0, 20_000)} />
      )}
    </>
  )
}

/** Playing again is only for what reads, and only when what was sent is known. */
function Foot({ call, isSafe, args }: { call: JournalCall; isSafe: boolean; args: JsonObject | undefined }) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const replay = useReplay()
  const { server, call_kind: kind = 'tool', name, caller } = call.entry
  const possible = isSafe && (kind === 'resource' || args !== undefined)
  const run = () =>
    replay.mutate(
      { server, kind, name, ...(args ? { arguments: args } : {}), approval_wait_ms: -1, wait_ms: 0 },
      {
        onSuccess: () => toast({ tone: 'ok', text: t('activity.detail.replayed') }),
        onError: (error) => toast({ tone: 'danger', text: words(error).what }),
      },
    )
  return (
    <PageFoot className="px-3.5! py-2.5!">
      {possible && (
        <Button icon={RotateCw} inactive={replay.isPending} onClick={run}>
          {t('activity.detail.replay')}
        </Button>
      )}
      <span className="min-w-0 flex-1 truncate text-small text-ink-3">
        {possible && t('activity.detail.replaySafe')}
      </span>
      <Link to="/policy" search={{ server, name, kind, caller: caller.name }} className="text-small">
        {t('activity.detail.why')}
      </Link>
    </PageFoot>
  )
}

function exactTime(at: string, lang: 'fr' | 'en'): string {
  const ms = String(new Date(at).getMilliseconds()).padStart(3, '0')
  const time = `${formatTime(at, lang, true)}${lang === 'fr' ? ',' : '.'}${ms}`
  return daysAgo(at) === 0 ? time : `${formatDay(at, lang)}, ${time}`
}

function shortHash(hash: string): string {
  return hash.length > 12 ? `${hash.slice(0, 4)}…${hash.slice(-4)}` : hash
}
