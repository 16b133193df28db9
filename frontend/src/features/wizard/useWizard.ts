import { useRested } from '@/lib/useRested'
import { useEffect, useMemo, useReducer, useRef } from 'react'
import { useTestSignIn } from '@/features/signin'
import type { TestReport } from '@/lib/api'
import { definitionOf, isLocal } from './draft'
import { authFault, blocking, faultsOf, type Fault } from './faults'
import type { Fix } from './fixes'
import { useCancelTest, useCheck, useSave, useStartTest, useTest } from './queries'
import { tokenField, wizard, type WizardState } from './wizard'

/** Milliseconds of rest before a draft is checked again. */
const rest = 250

export interface WizardOptions {
  start: WizardState
  /** The server being edited; undefined for a new one. */
  serverId: string | undefined
  /** The server that the new one is a copy of, whose secrets it gets too. */
  copyOf: string | undefined
  /** Called once the server is saved, with its id. */
  onSaved: (id: string) => void
}

/** The wizard with the core behind it: checks, the live test, saving. */
export function useWizard({ start, serverId, copyOf, onSaved }: WizardOptions) {
  const [state, dispatch] = useReducer(wizard, start)
  const definition = useMemo(() => definitionOf(state.draft), [state.draft])
  const rested = useRested(definition, rest)
  const { data: check, isPlaceholderData } = useCheck(rested, serverId)
  const settled = check !== undefined && !isPlaceholderData && JSON.stringify(rested) === JSON.stringify(definition)
  const faults = useMemo(() => allFaults(state, check?.errors ?? []), [state, check])
  const test = useLiveTest(state, (id) => dispatch({ type: 'testing', id }), definition, {
    serverId,
    copyOf,
  })
  const signIn = useTestSignIn(state.testId, state.draft.name, { server_id: serverId, definition, from: copyOf }, () =>
    dispatch({ type: 'retest' }),
  )
  const save = useSave()
  const saveNow = () => {
    if (state.testId === undefined || save.isPending) return
    save.mutate({ definition, testId: state.testId, serverId, copyOf }, { onSuccess: ({ id }) => onSaved(id) })
  }
  const fix = (one: Fix) => {
    const { action } = one
    if (action.does === 'go') dispatch({ type: 'go', to: action.to })
    else if (action.does === 'transport') dispatch({ type: 'transport', transport: action.transport })
    else if (action.does === 'retry') dispatch({ type: 'retest' })
    else if (action.does === 'sign-in') signIn.begin()
    else if (action.does === 'inherit') dispatch({ type: 'edit', change: { inheritEnv: true } })
    else if (action.does === 'timeout') dispatch({ type: 'edit', change: { timeoutMs: action.ms } })
    else if (action.does === 'buffer') dispatch({ type: 'edit', change: { bufferSize: action.bytes } })
    else if (action.does === 'url') dispatch({ type: 'edit', change: { url: action.url } })
    else addVariable(action.name)
  }
  const addVariable = (name: string) => {
    const at = state.draft.env.findIndex((row) => row.name === name)
    const field = `env[${at < 0 ? state.draft.env.length : at}].value`
    if (at < 0) dispatch({ type: 'add-variables', list: 'env', rows: [{ name, value: '' }] })
    dispatch({ type: 'go', to: { step: 'parameters', field } })
  }
  return { state, dispatch, check, settled, faults, held: blocking(faults), test, signIn, save, saveNow, fix }
}

export type WizardParts = ReturnType<typeof useWizard>

function allFaults(state: WizardState, errors: Parameters<typeof faultsOf>[0]): Fault[] {
  const auth = authFault(state.draft)
  const field = isLocal(state.draft) ? tokenField : 'auth'
  const own: Fault[] = auth ? [{ field, key: auth, error: { code: 'invalid_input', message: auth } }] : []
  return [...own, ...faultsOf(errors, state.draft)]
}

/** Starts a test when the step is open and the draft has none, and follows it. */
function useLiveTest(
  { step, testId }: WizardState,
  onStart: (id: string) => void,
  definition: ReturnType<typeof definitionOf>,
  subject: Pick<WizardOptions, 'serverId' | 'copyOf'>,
) {
  const start = useStartTest()
  const cancel = useCancelTest()
  const followed = useTest(testId)
  const wanted = step === 'test' && testId === undefined
  const starting = useRef(false)
  useEffect(() => {
    if (!wanted || starting.current) return
    starting.current = true
    start.mutate(
      { definition, ...subject },
      { onSuccess: ({ id }) => onStart(id), onSettled: () => (starting.current = false) },
    )
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a test starts when it is wanted, not when a callback changes
  }, [wanted, definition])
  const report: TestReport | undefined = testId === undefined ? undefined : followed.data
  return {
    report,
    error: wanted ? start.error : followed.error,
    running: report?.running === true || (wanted && start.isPending),
    cancel: () => {
      if (testId !== undefined) cancel.mutate(testId)
    },
  }
}
