import { FileCode } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLang } from '@/lib/i18n'
import { FailureNote } from '@/features/vocabulary'
import { Badge, Note } from '@/ui'
import { AuthStep } from './AuthStep'
import { DisclaimerStep } from './DisclaimerStep'
import { isLocal } from './draft'
import { ParametersStep } from './ParametersStep'
import { StepsWire } from './StepsWire'
import { summariesOf } from './summaries'
import { TestStep } from './TestStep'
import { TransportStep } from './TransportStep'
import type { WizardParts } from './useWizard'
import { WizardFoot, type FootProps } from './WizardFoot'
import { WizardFrame } from './WizardFrame'
import { clientField, type StepName } from './wizard'

export interface WizardPagesProps extends FootProps {
  parts: WizardParts
  steps: readonly StepName[]
  /** The line of config.toml where the server is edited, when it is not edited here. */
  fileLine: number | undefined
}

/** The page of the step that is open, inside the frame. */
export function WizardPages(props: WizardPagesProps) {
  const { parts, steps, mode, fileLine } = props
  const { t } = useTranslation()
  const lang = useLang()
  const { state, dispatch, test } = parts
  const name = state.draft.name === '' ? t('wizard.thisServer') : state.draft.name
  const title = titleKey(parts)
  return (
    <WizardFrame
      key={state.step}
      purpose={t(`wizard.purpose.${mode}`, { name })}
      steps={
        <StepsWire
          steps={summariesOf(state, test.report, steps, t, lang)}
          now={state.step}
          reached={state.reached}
          onGo={(step) => dispatch({ type: 'go', to: { step } })}
        />
      }
      promise={t(mode === 'add' ? 'wizard.promise' : 'wizard.promiseEdit')}
      title={t(`wizard.${title}.title`, { name })}
      badge={state.step === 'test' && state.attempts > 1 && <Badge>{t('wizard.attempt', { n: state.attempts })}</Badge>}
      lead={
        fromPaste(parts)
          ? `${t('wizard.fromPaste')} ${t(`wizard.${title}.lead`, { name })}`
          : t(`wizard.${title}.lead`, { name })
      }
      foot={<WizardFoot {...props} />}
    >
      {parts.save.error && <FailureNote error={parts.save.error} className="mb-3" />}
      {fileLine !== undefined && (
        <Note icon={FileCode} className="mb-3">
          {t('wizard.inFile', { line: fileLine })}
        </Note>
      )}
      <StepContent parts={parts} readOnly={fileLine !== undefined} />
    </WizardFrame>
  )
}

const fromPaste = ({ state }: WizardParts) => state.step === 'parameters' && state.taken !== ''

/** The key of the title and the sentence under it. */
function titleKey({ state, test }: WizardParts): string {
  if (state.step === 'auth' && isLocal(state.draft)) return 'head.authLocal'
  if (state.step === 'parameters') return isLocal(state.draft) ? 'head.stdio' : 'head.http'
  if (state.step === 'test')
    return test.report?.ok ? 'head.passed' : isLocal(state.draft) ? 'head.test' : 'head.testRemote'
  return `head.${state.step}`
}

function StepContent({ parts, readOnly }: { parts: WizardParts; readOnly: boolean }) {
  const { state, dispatch, check, settled, faults, test, signIn, fix } = parts
  switch (state.step) {
    case 'transport':
      return <TransportStep state={state} dispatch={dispatch} />
    case 'auth':
      return <AuthStep state={state} dispatch={dispatch} />
    case 'parameters':
      return <ParametersStep state={state} dispatch={dispatch} check={check} settled={settled} faults={faults} />
    case 'test':
      return (
        <TestStep
          draft={state.draft}
          report={test.report}
          error={test.error}
          onFix={readOnly ? undefined : fix}
          signIn={signIn}
          onFields={readOnly ? undefined : () => dispatch({ type: 'go', to: { step: 'auth', field: clientField } })}
          onCancel={test.cancel}
        />
      )
    case 'disclaimer':
      return test.report ? <DisclaimerStep state={state} report={test.report} dispatch={dispatch} /> : null
  }
}
