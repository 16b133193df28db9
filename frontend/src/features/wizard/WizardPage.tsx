import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useToast } from '@/ui'
import { LeaveDialog } from './LeaveDialog'
import { useLeaving, useStepFocus, useWizardKeys } from './useLeaving'
import { useWizard, type WizardParts } from './useWizard'
import { WizardPages } from './WizardPages'
import { stepNames, type StepName, type WizardState } from './wizard'

export type WizardMode = 'add' | 'edit' | 'test'

export interface WizardPageProps {
  start: WizardState
  mode: WizardMode
  /** The server being edited or tested; undefined for a new one. */
  serverId?: string
  /** The server that the new one is a copy of. */
  copyOf?: string
  /** The line of config.toml where the server is edited, when it is not edited here. */
  fileLine?: number | undefined
}

const editSteps: readonly StepName[] = stepNames.filter((step) => step !== 'disclaimer')

/** The wizard with its keys, its focus and its way out. */
export function WizardPage({ start, mode, serverId, copyOf, fileLine }: WizardPageProps) {
  const { t } = useTranslation()
  const steps = mode === 'add' ? stepNames : editSteps
  const navigate = useNavigate()
  const toast = useToast()
  const away = () =>
    void navigate(serverId === undefined ? { to: '/' } : { to: '/servers/$id', params: { id: serverId } })
  const parts = useWizard({
    start,
    serverId,
    copyOf,
    onSaved: () => {
      leaving.allow()
      toast({ tone: 'ok', text: t(mode === 'add' ? 'wizard.added' : 'wizard.saved', { name: parts.state.draft.name }) })
      away()
    },
  })
  const leaving = useLeaving(parts.state.dirty)
  const confirm = useConfirm(parts, mode)
  useStepFocus(parts.state.step, parts.state.focus)
  useWizardKeys(confirm, away)
  return (
    <>
      <WizardPages
        parts={parts}
        steps={fileLine === undefined ? steps : ['test']}
        fileLine={fileLine}
        mode={mode}
        confirm={confirm}
        leave={away}
      />
      <LeaveDialog
        open={leaving.blocker.status === 'blocked'}
        onStay={() => leaving.blocker.reset?.()}
        onLeave={() => {
          parts.test.cancel()
          leaving.blocker.proceed?.()
        }}
      />
    </>
  )
}

/** What going forward does at this step; undefined while something holds it back. */
function useConfirm(parts: WizardParts, mode: WizardMode): (() => void) | undefined {
  const { state, dispatch, held, test, saveNow } = parts
  const saveWhenPassed = useRef(false)
  const passed = state.step === 'test' && test.report?.ok === true
  useEffect(() => {
    if (!passed || !saveWhenPassed.current) return
    saveWhenPassed.current = false
    saveNow()
  })
  const next = () => dispatch({ type: 'next' })
  switch (state.step) {
    case 'transport':
    case 'auth':
      return next
    case 'parameters':
      if (held.length > 0) return undefined
      return () => {
        saveWhenPassed.current = mode !== 'add'
        next()
      }
    case 'test':
      if (!passed) return undefined
      return mode === 'add' ? next : saveNow
    case 'disclaimer':
      return state.consent ? saveNow : undefined
  }
}
