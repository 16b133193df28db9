import { Download, Link as Chain, Unlink } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import type { Totals } from '@/lib/api'
import { formatDay, formatNumber } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { saveText } from '@/lib/save'
import { Button, Icon, PageHead, Segmented, Socket, Tooltip } from '@/ui'
import { isFailure, type JournalCall } from './calls'
import { dayName } from './day'
import type { Row } from './deeds'
import { useChain } from './queries'

export interface ActivityHeadProps {
  /** Undefined is today. */
  day: string | undefined
  /** What the core counted since midnight. */
  totals: Totals | undefined
  calls: readonly JournalCall[]
  shown: readonly Row[]
  frozen: boolean
  onFreeze: (frozen: boolean) => void
  /** A call is open beside the list. */
  compact: boolean
}

/** One sentence of totals, whether the journal is whole, live or frozen. */
export function ActivityHead({ day, totals, calls, shown, frozen, onFreeze, compact }: ActivityHeadProps) {
  const { t } = useTranslation()
  const lines = () => shown.map((row) => JSON.stringify(row.entry)).join('\n')
  return (
    <PageHead
      tight
      title={t('activity.title')}
      facts={
        <span className="flex flex-wrap items-center gap-x-1.5">
          <Facts day={day} totals={day === undefined ? totals : countOf(calls)} />
          {!compact && <ChainState />}
        </span>
      }
      actions={
        <>
          <Segmented
            label={t('activity.following')}
            value={frozen ? 'frozen' : 'live'}
            onChange={(next) => onFreeze(next === 'frozen')}
            segments={[
              { value: 'live', label: <Live on={!frozen} /> },
              { value: 'frozen', label: t('activity.freeze') },
            ]}
          />
          {!compact && (
            <Button
              icon={Download}
              inactive={shown.length === 0}
              onClick={() => saveText(`apollia-${day ?? dayName(new Date())}.jsonl`, lines())}
            >
              {t('activity.export')}
            </Button>
          )}
        </>
      }
    />
  )
}

function countOf(calls: readonly JournalCall[]): Totals {
  const ended = calls.filter(({ outcome }) => outcome !== 'running')
  return {
    calls: ended.length,
    refused: ended.filter(({ outcome }) => outcome === 'refused').length,
    failed: ended.filter(({ outcome }) => isFailure(outcome)).length,
  }
}

function Facts({ day, totals }: { day: string | undefined; totals: Totals | undefined }) {
  const { t } = useTranslation()
  const lang = useLang()
  if (!totals) return <span className="inline-block h-[18px]" />
  const parts = [
    t('activity.totals.calls', { count: totals.calls, n: formatNumber(totals.calls, lang) }),
    t('activity.totals.refused', { count: totals.refused }),
    t('activity.totals.failed', { count: totals.failed }),
  ]
  const when = day === undefined ? t('activity.today') : formatDay(`${day}T12:00:00`, lang)
  return <span>{t('activity.facts', { day: when, totals: parts.join(', ') })}</span>
}

function Live({ on }: { on: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <Socket shape={on ? 'ready' : 'off'} tone={on ? 'ok' : 'neutral'} size={14} />
      {t('activity.live')}
    </>
  )
}

/** "Journal intact", or where the chain breaks. */
function ChainState() {
  const { t } = useTranslation()
  const lang = useLang()
  const chain = useChain()
  if (!chain.data) return null
  const { ok, entries, broken_at, unchecked = 0, removed = 0 } = chain.data
  const counted = (count: number) => ({ count, n: formatNumber(count, lang) })
  const checked = t('activity.chain.more', counted(entries - unchecked))
  const gone = removed > 0 ? `${t('activity.chain.removed', counted(removed))} ` : ''
  const before = unchecked > 0 ? `${t('activity.chain.unchecked', counted(unchecked))} ` : ''
  return (
    <Tooltip text={gone + before + checked}>
      <button
        type="button"
        onClick={() => void chain.refetch()}
        className={`inline-flex items-center gap-[5px] rounded-badge font-medium ${ok ? 'text-ok-text' : 'text-danger-text'}`}
      >
        <Icon of={ok ? Chain : Unlink} size={13} />
        {ok ? (
          t(unchecked > 0 ? 'activity.chain.wholeSince' : 'activity.chain.whole')
        ) : (
          <Trans i18nKey="activity.chain.broken" values={{ n: formatNumber(broken_at ?? 0, lang) }} />
        )}
      </button>
    </Tooltip>
  )
}
