import clsx from 'clsx'
import { ArrowLeft, ArrowRight, Copy, Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '@/features/vocabulary'
import type { Frame } from '@/lib/api'
import { formatBytes, formatTime } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { tryParseJson, writeJson } from '@/lib/json'
import { Icon, IconButton, JsonCode, TextInput } from '@/ui'
import { findFrames, type Found } from './frames'

/** The latest messages first, those that hold the words of the filter; a click shows the whole of one. Secrets are masked by the core. */
export function TrafficList({ frames }: { frames: readonly Frame[] }) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState('')
  const found = useMemo(() => findFrames(frames, filter), [frames, filter])
  if (frames.length === 0) return <p className="p-3 text-small text-ink-3">{t('server.traffic.none')}</p>
  return (
    <>
      <div className="px-3 py-2">
        <TextInput
          soft
          icon={Search}
          aria-label={t('server.traffic.filter')}
          placeholder={t('server.traffic.filter')}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          frameClassName="h-7! text-small!"
        />
      </div>
      {found.length === 0 && <p className="px-3 text-small text-ink-3">{t('server.traffic.noMatch')}</p>}
      <ol className="min-h-0 flex-1 overflow-y-auto py-1" aria-label={t('server.traffic.title')}>
        {found.map(({ frame, summary }) => (
          <Row key={frame.seq} frame={frame} summary={summary} />
        ))}
      </ol>
    </>
  )
}

function Row({ frame, summary }: Found) {
  const { t } = useTranslation()
  const copy = useCopy()
  const lang = useLang()
  const [open, setOpen] = useState(false)
  const error = summary.kind === 'error'
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-7 w-full items-center gap-2 px-3 text-left text-[12px] hover:bg-hover"
      >
        <Icon
          of={summary.sent ? ArrowRight : ArrowLeft}
          size={13}
          className={error ? 'text-danger' : summary.sent ? 'text-ink-3' : 'text-accent-text'}
        />
        <span className="sr-only">{t(summary.sent ? 'server.traffic.sent' : 'server.traffic.received')}</span>
        <span className={clsx('mono min-w-0 flex-1 truncate', error && 'text-danger-text')}>
          {summary.method || t('server.traffic.unnamed')}
          {(summary.kind === 'result' || error) && (
            <span className="text-ink-3"> {t(`server.traffic.kinds.${summary.kind}`)}</span>
          )}
        </span>
        <span className="text-ink-3 tabular-nums">{formatBytes(frame.size, lang)}</span>
      </button>
      {open && (
        <div className="px-3 pb-2">
          <div className="mb-1 flex items-center justify-between text-caption text-ink-3">
            <span>
              {formatTime(frame.at, lang, true)}
              {frame.truncated && ` · ${t('server.traffic.cut')}`}
            </span>
            <IconButton icon={Copy} label={t('server.traffic.copy')} onClick={() => copy(pretty(frame.text))} />
          </div>
          <JsonCode
            wrap
            className="max-h-80"
            text={pretty(frame.text)}
            label={summary.method || t('server.traffic.unnamed')}
          />
        </div>
      )}
    </li>
  )
}

function pretty(text: string): string {
  const value = tryParseJson(text)
  return value === undefined ? text : writeJson(value, 2)
}
