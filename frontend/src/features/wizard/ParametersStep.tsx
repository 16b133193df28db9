import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import type { Check } from '@/lib/api'
import { Note } from '@/ui'
import { Advanced } from './Advanced'
import type { StepProps } from './AuthStep'
import { isLocal, type Draft } from './draft'
import { fieldName, type Fault, type SayFault } from './faults'
import { HttpFields } from './HttpFields'
import { Preview } from './Preview'
import { StdioFields } from './StdioFields'
import { useLeftFields } from './useLeftFields'
import { clientField } from './wizard'

export interface ParametersProps extends StepProps {
  check: Check | undefined
  /** Whether the check and the faults are of what is typed now. */
  settled: boolean
  faults: readonly Fault[]
}

/** Step 3: what to start or where to reach, with what will really be started or sent. */
export function ParametersStep({ state, dispatch, check, settled, faults }: ParametersProps) {
  const say = useSayFault()
  const { left, leave } = useLeftFields()
  const passed = (field: string) => state.filled || field === 'auth' // that step was left already
  const due = faults.filter(({ field }) => passed(field) || [...left].some((reached) => field.startsWith(reached)))
  const [shown, setShown] = useState<readonly Fault[]>([])
  if (settled && JSON.stringify(due) !== JSON.stringify(shown)) setShown(due)
  const fault: SayFault = (field) => {
    const found = shown.find((one) => one.field === field)
    return found && say(found)
  }
  const Fields = isLocal(state.draft) ? StdioFields : HttpFields
  return (
    <div
      role="presentation"
      onBlur={(event) => {
        const field = event.target.dataset.field
        if (field !== undefined) leave(field)
      }}
    >
      <Summary faults={shown} draft={state.draft} dispatch={dispatch} />
      <Fields state={state} dispatch={dispatch} check={check} faults={shown} fault={fault} />
      <Advanced draft={state.draft} dispatch={dispatch} fault={fault} focus={state.focus} />
      <Preview draft={state.draft} check={check} />
    </div>
  )
}

/** Says a fault in one sentence. */
export function useSayFault(): (fault: Fault) => string {
  const { t } = useTranslation()
  const words = useFailureWords()
  return ({ key, error }) =>
    key === undefined ? `${words(error).what} ${words(error).fix}` : t(`wizard.faults.${key}`)
}

interface SummaryProps extends Pick<StepProps, 'dispatch'> {
  faults: readonly Fault[]
  draft: Draft
}

/** What to correct, on one line with links to the fields, once there is something to correct. */
function Summary({ faults, draft, dispatch }: SummaryProps) {
  const { t } = useTranslation()
  const words = useFailureWords()
  if (faults.length === 0) return null
  const called = (field: string) => {
    const said = fieldName(field, draft)
    return 'name' in said ? said.name : t(said.key)
  }
  const go = (field: string) => {
    const here = document.querySelector<HTMLElement>(`[data-field="${field}"]`)
    if (here) here.focus()
    else if (field.startsWith('auth') && !isLocal(draft))
      dispatch({ type: 'go', to: { step: 'auth', field: clientField } })
  }
  return (
    <Note tone="danger" icon={CircleAlert} role="status" className="mb-3">
      <b className="font-semibold">{t('wizard.faults.count', { count: faults.length })}</b>{' '}
      {faults.slice(0, 3).map((one) => (
        <span key={one.field}>
          <button
            type="button"
            className="text-accent-text underline-offset-2 hover:underline"
            onClick={() => go(one.field)}
          >
            {called(one.field)}
          </button>{' '}
          {one.key === undefined ? words(one.error).what : t(`wizard.faults.${one.key}`)}{' '}
        </span>
      ))}
    </Note>
  )
}
