import clsx from 'clsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Transport } from '@/lib/api'
import { formatDuration } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, Socket, Step, type SocketShape, type Tone } from '@/ui'
import { countsOf, shortPath, type RowState, type TestRow } from './report'

const marks: Record<RowState, { shape: SocketShape; tone: Tone }> = {
  ok: { shape: 'done', tone: 'ok' },
  skipped: { shape: 'denied', tone: 'neutral' },
  running: { shape: 'running', tone: 'accent' },
  failed: { shape: 'stopped', tone: 'danger' },
  'sign-in': { shape: 'signin', tone: 'attn' },
  untried: { shape: 'off', tone: 'neutral' },
}
const bars: Partial<Record<RowState, string>> = { failed: 'bg-danger', running: 'bg-accent', 'sign-in': 'bg-attn-mark' }

/** A step that takes longer than this, in milliseconds, says so and can be cancelled. */
const long = 5000

export interface TestRowViewProps {
  row: TestRow
  transport: Transport
  last: boolean
  tight: boolean
  onCancel: () => void
  /** Why the row failed, in a few words. */
  cause: string
  /** Opens under the row. */
  children: ReactNode
}

export function TestRowView({ row, transport, last, tight, onCancel, cause, children }: TestRowViewProps) {
  const { t } = useTranslation()
  const lang = useLang()
  const slow = row.state === 'running' && (row.ms ?? 0) > long
  const key = row.name === 'resolve' && transport !== 'stdio' ? 'resolveHost' : row.name
  return (
    <Step
      mark={<Socket {...marks[row.state]} />}
      below={last ? 'none' : row.state === 'ok' ? 'ok' : 'solid'}
      className={tight || row.state === 'untried' ? 'py-[4.5px]' : 'py-2'}
    >
      <div className="flex min-h-[22px] items-center gap-2">
        <span className={clsx('flex-none', row.state === 'untried' ? 'text-ink-3' : 'font-medium')}>
          {t(`wizard.test.step.${key}`)}
        </span>
        <RowDetail row={row} slow={slow} cause={cause} />
        {slow && (
          <Button small look="ghost" className="-my-1" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        )}
        <span aria-hidden className="relative h-1.5 w-[132px] flex-none rounded-[3px] bg-sunken max-sm:hidden">
          {row.ms !== undefined && (
            <i
              className={clsx('absolute inset-y-0 min-w-[3px] rounded-[3px]', bars[row.state] ?? 'bg-ok')}
              style={{
                left: `${Math.min(row.bar.left, 98)}%`,
                width: `${Math.min(row.bar.width, 100 - row.bar.left)}%`,
              }}
            />
          )}
        </span>
        <span className="w-[54px] flex-none text-right text-small text-ink-2 tabular-nums">
          {row.ms === undefined ? '—' : formatDuration(row.ms, lang)}
        </span>
      </div>
      {children}
    </Step>
  )
}

function RowDetail({ row, slow, cause }: { row: TestRow; slow: boolean; cause: string }) {
  const { t } = useTranslation()
  const words: Record<RowState, string> = {
    ok: '',
    skipped: t('wizard.test.notAnnounced'),
    running: t(slow ? 'wizard.test.stillRunning' : 'wizard.test.running'),
    failed: cause,
    'sign-in': t('states.needs_sign_in'),
    untried: t('wizard.test.untried'),
  }
  const loud =
    row.state === 'failed'
      ? 'font-medium text-danger-text'
      : row.state === 'sign-in'
        ? 'font-medium text-attn-text'
        : 'text-ink-3'
  return (
    <span className={clsx('min-w-0 flex-1 truncate pl-0.5 text-small', loud)}>
      {row.detail === '' ? words[row.state] : <Detail row={row} />}
    </span>
  )
}

/** What a step found: counts in words, anything else as the machine says it. */
function Detail({ row: { name, detail } }: { row: TestRow }) {
  const { t } = useTranslation()
  const [found, templates] = countsOf(detail)
  if (name === 'spawn' && found !== undefined) return <span className="mono">{`pid ${found}`}</span>
  if (found === undefined || (name !== 'tools' && name !== 'resources' && name !== 'prompts')) {
    return <span className="mono">{shortPath(detail)}</span>
  }
  const words = t(`connexions.details.${name}`, { count: found })
  return <>{templates ? `${words}, ${t('wizard.test.modelTemplates', { count: templates })}` : words}</>
}
