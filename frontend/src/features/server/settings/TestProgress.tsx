import { LogIn } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { SignInPanel, useTestSignIn, wantsSignIn } from '@/features/signin'
import { FailureNote } from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { formatDuration } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, Card, Code, Socket } from '@/ui'
import type { Retest } from './useRetest'

export interface TestProgressProps {
  server: Server
  retest: Retest
}

/** The test of a change: its steps as they come, and why it was not saved when one fails. */
export function TestProgress({ server, retest }: TestProgressProps) {
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
      {wantsSignIn(report?.error) && <SignInFirst server={server} retest={retest} />}
      {report?.error?.proof && <Code className="mt-2 max-h-40">{report.error.proof}</Code>}
      {error && <FailureNote error={error} className="mt-2" />}
    </Card>
  )
}

/** Signs in for the changed settings, which are then tested again by themselves. */
function SignInFirst({ server, retest: { report, definition, run } }: TestProgressProps) {
  const { t } = useTranslation()
  const wish = { server_id: server.id, definition }
  const signIn = useTestSignIn(report?.id, server.name, wish, () => definition && run(definition))
  return (
    <div className="mt-2">
      {!signIn.running && !signIn.failed && (
        <Button small icon={LogIn} onClick={signIn.begin}>
          {t('connexions.actions.sign-in')}
        </Button>
      )}
      <SignInPanel subject={signIn.subject} className="mt-2" />
    </div>
  )
}
