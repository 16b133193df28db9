import clsx from 'clsx'
import { KeyRound, LogIn } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { wantsSignIn } from '@/features/signin'
import { useFailureWords } from '@/features/vocabulary'
import type { Failure, TestReport } from '@/lib/api'
import { Button, Code } from '@/ui'
import { missingVariable, proofOf, type Fix } from './fixes'
import { proofLines } from './report'

export interface CauseProps {
  report: TestReport
  error: Failure
  fixes: readonly Fix[]
  /** Absent for a server that is edited in a file: fixes are then words only. */
  onFix: ((fix: Fix) => void) | undefined
  /** Another button on the page is the likeliest way on. */
  beside: boolean
  /** Signing in changes nothing of the server, so it is there even then. */
  onSignIn: () => void
}

/** The cause in one sentence, its proof, and what to do, the likeliest first. */
export function Cause({ report, error, fixes, onFix, beside, onSignIn }: CauseProps) {
  const { t } = useTranslation()
  const { what, fix } = useFailureWords()(error)
  const proof = proofOf(report)
  const variable = error.code === 'server_exited' ? missingVariable(proof) : undefined
  const exited = error.code === 'server_exited'
  const asks = wantsSignIn(error)
  return (
    <div
      role="alert"
      className={clsx(
        'mt-1.5 mb-1 animate-fade rounded-[9px] border bg-surface px-3.5 py-3',
        asks ? 'border-attn-line' : 'border-danger-line',
      )}
    >
      <div className="mb-0.5 font-semibold">
        {variable === undefined ? what : t('wizard.test.variableMissing', { variable })}
      </div>
      <div className="text-small text-ink-2">
        {variable !== undefined ? what : exited && proof !== '' ? '' : fix}{' '}
        {proof !== '' && t(`wizard.test.proof.${proofWord(error)}`)}
      </div>
      {proof !== '' && (
        <Code
          wrap={error.code === 'program_not_found'}
          className="mt-2 mb-3 max-h-[220px]"
          label={t('wizard.test.proof.label')}
        >
          {proofLines(proof).map(({ text, loud }, n) => (
            <span key={n} className={loud ? 'text-danger-text' : 'text-code-comment'}>
              {`${text}\n`}
            </span>
          ))}
        </Code>
      )}
      {fixes.length > 0 && <div className="mt-2 mb-1.5 text-small font-medium">{t('wizard.test.todo')}</div>}
      <ol>
        {fixes.map((one, n) => (
          <li key={one.key} className="flex items-center gap-2.5 border-t border-line-subtle py-[7px] text-small">
            <span className="size-[18px] flex-none rounded-full bg-sunken text-center text-[11.5px] font-medium text-ink-2">
              {n + 1}
            </span>
            <span className="min-w-0 flex-1">
              <Trans
                i18nKey={`wizard.fixes.${one.key}.text`}
                values={one.args ?? {}}
                components={{ b: <b className="font-medium" />, code: <code /> }}
              />
            </span>
            <FixButton
              fix={one}
              first={n === 0 && !beside}
              onPress={one.action.does === 'sign-in' ? onSignIn : onFix}
            />
          </li>
        ))}
      </ol>
    </div>
  )
}

interface FixButtonProps {
  fix: Fix
  first: boolean
  onPress: ((fix: Fix) => void) | undefined
}

function FixButton({ fix, first, onPress }: FixButtonProps) {
  const { t } = useTranslation()
  const icon = { addVariable: KeyRound, signIn: LogIn }[fix.key]
  if (!onPress) return null
  return (
    <Button small look={first ? 'primary' : 'plain'} {...(icon ? { icon } : {})} onClick={() => onPress(fix)}>
      {t(`wizard.fixes.${fix.key}.button`, fix.args ?? {})}
    </Button>
  )
}

/** What the proof is, in words: a program's last lines, a certificate chain, an answer. */
function proofWord({ code }: Failure): 'lines' | 'certificate' | 'looked' | 'answer' {
  if (code === 'tls_failed') return 'certificate'
  if (code === 'program_not_found') return 'looked'
  return ['server_exited', 'no_answer', 'not_json_rpc', 'connection_closed'].includes(code) ? 'lines' : 'answer'
}
