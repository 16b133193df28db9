import type { TFunction } from 'i18next'
import { wantsSignIn } from '@/features/signin'
import type { TestReport } from '@/lib/api'
import { formatDuration, type Lang } from '@/lib/format'
import { countFilled, isLocal, subjectOf } from './draft'
import { elapsedOf } from './report'
import type { StepSummary } from './StepsWire'
import { stepIndex, type StepName, type WizardState } from './wizard'

/** What the wire shows under each step: the answer, or what a paste has filled already. */
export function summariesOf(
  state: WizardState,
  report: TestReport | undefined,
  steps: readonly StepName[],
  t: TFunction,
  lang: Lang,
): StepSummary[] {
  const { draft } = state
  const opened = (step: StepName) => stepIndex(step) <= stepIndex(state.reached)
  const already = (text: string) => t('wizard.already', { text })
  const values: Record<StepName, () => Omit<StepSummary, 'name'>> = {
    transport: () => ({ value: t(`wizard.transports.${draft.transport}.short`) }),
    auth: () => {
      const text = isLocal(draft) ? t('wizard.auth.none.short') : t(`wizard.auth.${draft.auth.kind}.short`)
      if (opened('auth')) return { value: text }
      return { value: state.filled ? already(text) : '' }
    },
    parameters: () => {
      if (opened('parameters')) return { value: subjectOf(draft), code: true }
      return { value: state.filled ? t('wizard.fields', { count: countFilled(draft) }) : '' }
    },
    test: () => testSummary(report, t, lang),
    disclaimer: () => ({ value: state.step === 'disclaimer' ? t('wizard.yourConsent') : '' }),
  }
  return steps.map((name) => ({ name, ...values[name]() }))
}

function testSummary(report: TestReport | undefined, t: TFunction, lang: Lang): Omit<StepSummary, 'name'> {
  if (!report) return { value: '' }
  if (report.running) return { value: t('wizard.test.running') }
  if (report.ok) return { value: t('wizard.passedIn', { time: formatDuration(elapsedOf(report), lang, 1) }) }
  if (wantsSignIn(report.error)) return { value: t('states.needs_sign_in') }
  return { value: t('wizard.oneFailed'), failed: true }
}
