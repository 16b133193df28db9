import { useTranslation } from 'react-i18next'
import { SignInPanel, type TestSignIn } from '@/features/signin'
import { FailureNote, useFailureWords } from '@/features/vocabulary'
import type { TestReport } from '@/lib/api'
import { Card, Sequence } from '@/ui'
import { Cause } from './Cause'
import type { Draft } from './draft'
import { fixesFor, type Fix } from './fixes'
import { Found } from './Found'
import { rowsOf } from './report'
import { TestFindings } from './TestFindings'
import { TestRowView } from './TestRowView'
import { TestSummary } from './TestSummary'
import { useElapsed } from './useElapsed'

export interface TestStepProps {
  draft: Draft
  report: TestReport | undefined
  /** Why the test could not even start. */
  error: unknown
  /** Absent for a server that is edited in a file. */
  onFix: ((fix: Fix) => void) | undefined
  signIn: TestSignIn
  /** Leads to the fields of a client; absent for a server that is edited in a file. */
  onFields: (() => void) | undefined
  onCancel: () => void
}

/** Step 4: the live test, one row per step on one wire. The failed row opens with its cause and what to do. */
export function TestStep({ draft, report, error, onFix, signIn, onFields, onCancel }: TestStepProps) {
  const { t } = useTranslation()
  const words = useFailureWords()
  const elapsed = useElapsed(report?.started_at, report?.running === true)
  if (error) return <FailureNote error={error} />
  if (!report) return null
  const rows = rowsOf(report, elapsed)
  const isOffered = ({ action }: Fix) => !signIn.failed || action.does !== 'sign-in'
  const failed = rows.findIndex(({ state }) => state === 'failed' || state === 'sign-in')
  return (
    <>
      {report.ok && <TestSummary report={report} />}
      {report.warnings?.map((warning) => (
        <FailureNote key={warning.message} error={warning} tone="attn" className="mb-3" />
      ))}
      <TestFindings report={report} />
      <Card className={report.ok ? 'mb-3 py-1 pr-3.5 pl-3' : 'py-1 pr-3.5 pl-3'}>
        <Sequence label={t('wizard.test.steps')}>
          {rows.map((row, n) => (
            <TestRowView
              key={row.name}
              row={row}
              transport={report.transport}
              last={n === rows.length - 1}
              tight={report.ok}
              onCancel={onCancel}
              cause={report.error ? lowered(words(report.error).short) : t('wizard.test.failed')}
            >
              {n === failed && report.error && (
                <>
                  <Cause
                    report={report}
                    error={report.error}
                    fixes={signIn.running ? [] : fixesFor(report, draft).filter(isOffered)}
                    onFix={onFix}
                    beside={signIn.failed}
                    onSignIn={signIn.begin}
                  />
                  <SignInPanel subject={signIn.subject} onFields={onFields} className="mb-1" />
                </>
              )}
            </TestRowView>
          ))}
        </Sequence>
      </Card>
      {failed < 0 && report.error && <FailureNote error={report.error} className="mt-3" />}
      {report.ok && <Found report={report} />}
    </>
  )
}

/** A sentence as the end of a row: its first letter small, unless the word is a name. */
const lowered = (text: string) => (/^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text)
