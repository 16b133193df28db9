import { Copy, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote, useCopy } from '@/features/vocabulary'
import type { LogLine, LogStream, Server } from '@/lib/api'
import { formatTime } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, EmptyState, Segmented, Select, Socket, TextInput } from '@/ui'
import { useLogs } from '../streams'
import { LevelSelect } from './LevelSelect'
import { asText, filterLines, sendsLogs, streams } from './lines'

const noLines: readonly LogLine[] = []

/** What the server wrote and what happened to it, live until it is frozen. */
export function LogTab({ server }: { server: Server }) {
  const { t } = useTranslation()
  const lang = useLang()
  const copy = useCopy()
  const [frozen, setFrozen] = useState(false)
  const [stream, setStream] = useState<LogStream | 'all'>('all')
  const [text, setText] = useState('')
  const logs = useLogs(server.id, { every: 1000, frozen })
  const all = logs.data?.items ?? noLines
  const lines = filterLines(all, stream, text)
  const segments = [
    { value: 'live', label: <Live on={!frozen} /> },
    { value: 'frozen', label: t('server.log.freeze') },
  ] as const
  return (
    <section data-pane aria-label={t('server.tabs.logs')} className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 px-[var(--px)] py-3">
        <TextInput
          soft
          icon={Search}
          data-page-search
          aria-label={t('server.log.filter')}
          placeholder={t('server.log.filter')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          frameClassName="h-7! w-60 text-small!"
        />
        <Select
          look="chip"
          label={t('server.log.stream')}
          value={stream}
          onChange={setStream}
          options={(['all', ...streams] as const).map((value) => ({ value, label: t(`server.log.streams.${value}`) }))}
        />
        {sendsLogs(server) && <LevelSelect server={server.id} />}
        <span className="flex-1" />
        <Segmented
          small
          label={t('server.log.follow')}
          value={frozen ? 'frozen' : 'live'}
          onChange={(next) => setFrozen(next === 'frozen')}
          segments={segments}
        />
        <Button small icon={Copy} inactive={lines.length === 0} onClick={() => copy(asText(lines, lang))}>
          {t('common.copy')}
        </Button>
      </div>
      {logs.isError && <FailureNote error={logs.error} onRetry={() => logs.refetch()} className="mx-[var(--px)]" />}
      {lines.length === 0 && logs.data ? (
        <div className="grid flex-1 place-items-center">
          <EmptyState title={t(all.length === 0 ? 'server.log.none' : 'server.log.noMatch')}>
            {all.length === 0 ? t('server.log.noneMore') : null}
          </EmptyState>
        </div>
      ) : (
        <Lines lines={lines} following={!frozen} onLeave={() => setFrozen(true)} />
      )}
    </section>
  )
}

function Live({ on }: { on: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <Socket shape={on ? 'ready' : 'off'} tone={on ? 'ok' : 'neutral'} size={14} />
      {t('server.log.live')}
    </>
  )
}

/** Lines off the screen have an estimated height, so the end moves while it is scrolled to: these many frames settle it. */
const SETTLED = 5

/** Scrolls to the end until it stays; returns the way to stop. */
function keptAtEnd(list: HTMLElement | null): () => void {
  let frame = 0
  const scroll = (left: number) => {
    list?.scrollTo({ top: list.scrollHeight })
    if (left > 0) frame = requestAnimationFrame(() => scroll(left - 1))
  }
  scroll(SETTLED)
  return () => cancelAnimationFrame(frame)
}

/** The lines, kept at the end while they are followed; scrolling up freezes. */
function Lines({ lines, following, onLeave }: { lines: readonly LogLine[]; following: boolean; onLeave: () => void }) {
  const { t } = useTranslation()
  const lang = useLang()
  const list = useRef<HTMLOListElement>(null)
  const last = lines.at(-1)?.seq
  useEffect(() => (following ? keptAtEnd(list.current) : undefined), [following, last])
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- scrolling up is what freezes
    <ol
      ref={list}
      aria-label={t('server.tabs.logs')}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling list must be reachable by keys
      tabIndex={0}
      onWheel={(event) => {
        if (following && event.deltaY < 0) onLeave()
      }}
      onKeyDown={(event) => {
        if (following && ['ArrowUp', 'PageUp', 'Home'].includes(event.key)) onLeave()
      }}
      className="min-h-0 flex-1 overflow-y-auto px-[var(--px)] pb-4 font-code text-[12px] leading-[19px] [font-feature-settings:normal]"
    >
      {lines.map((line) => (
        <li key={line.seq} className="flex gap-3 [content-visibility:auto] [contain-intrinsic-height:19px]">
          <span className="flex-none text-ink-3 tabular-nums">{formatTime(line.at, lang, true)}</span>
          <span className="w-20 flex-none truncate text-ink-3">{t(`server.log.streams.${line.stream}`)}</span>
          <span
            className={
              line.stream === 'lifecycle'
                ? 'min-w-0 flex-1 break-words text-accent-text'
                : 'min-w-0 flex-1 break-words whitespace-pre-wrap'
            }
          >
            {line.text}
          </span>
        </li>
      ))}
    </ol>
  )
}
