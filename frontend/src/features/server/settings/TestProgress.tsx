import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/vocabulary'
import { formatDuration } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Card, Code, Socket } from '@/ui'
import type { Retest } from './useRetest'

/** The test of a change: its steps as they come, and why it was not saved when one fails. */
export function TestProgress({ retest }: { retest: Retest }) {
  const { t } = useTranslation()
  const lang = useLang()
  const { report, error, busy } = retest
  const card = useRef<HTMLDivElement>(null)
  const shown = report !== undefined || error !== undefined
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' }) // a promise in newer browsers, which is no way to clean up
  }, [shown, busy])
  if (!shown) return null
  return (
    <Card ref={card} className="mt-4 px-3.5 py-2.5" aria-live="polite">
      <h3 className="mb-1 font-semibold">{t(busy ? 'server.settings.testing' : 'server.settings.failed')}</h3>
      <ul className="space-y-0.5">
        {report?.steps.map((step) => (
          <li key={step.name} className="flex min-h-[22px] items-center gap-2.5 text-small">
            <Socket
              shape={step.running ? 'running' : step.ok ? 'done' : 'stopped'}
              tone={step.running ? 'accent' : step.ok ? 'ok' : 'danger'}
            />
            <span className="flex-1">{t(`server.settings.steps.${step.name}`)}</span>
            <span className="text-ink-3 tabular-nums">{step.running ? '' : formatDuration(step.ms, lang)}</span>
          </li>
        ))}
      </ul>
      {report?.error && !report.running && <FailureNote error={report.error} className="mt-2" />}
      {report?.error?.proof && <Code className="mt-2 max-h-40">{report.error.proof}</Code>}
      {error && <FailureNote error={error} className="mt-2" />}
    </Card>
  )
}
