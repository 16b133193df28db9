import type { Definition, Transport } from '@/lib/api'
import { draftOf, emptyDraft, isLocal, type AuthDraft, type Draft, type VariableDraft } from './draft'
import { looksSecret } from './secrets'

export const stepNames = ['transport', 'auth', 'parameters', 'test', 'disclaimer'] as const
export type StepName = (typeof stepNames)[number]

/** A place a fix or an error leads to: a step and, in it, the field that gets the focus. */
export interface Place {
  step: StepName
  field?: string
}

export interface WizardState {
  step: StepName
  /** The furthest step that was opened; earlier ones are links. */
  reached: StepName
  draft: Draft
  /** The pasted text, secrets included; it never leaves the page. */
  paste: string
  /** Which of several pasted servers is meant. */
  choice: number
  /** The text and the choice that filled the fields, so that coming back does not fill them again. */
  taken: string
  /** A person typed or pasted something, so leaving asks. */
  dirty: boolean
  /** The fields were filled by a paste or a saved server, so their errors are shown at once. */
  filled: boolean
  /** The field to focus when the step is drawn. */
  focus: string | undefined
  /** How many tests were started. */
  attempts: number
  testId: string | undefined
  consent: boolean
  nextKey: number
}

export const listNames = ['env', 'headers'] as const
export type ListName = (typeof listNames)[number]

export type WizardAction =
  | { type: 'pasted'; text: string }
  | { type: 'choose'; choice: number }
  | { type: 'took'; definition: Definition }
  | { type: 'transport'; transport: Transport }
  | { type: 'auth'; auth: Partial<AuthDraft> }
  | { type: 'edit'; change: Partial<Omit<Draft, 'transport' | 'auth' | 'args' | ListName>> }
  | { type: 'argument'; at: number; value: string }
  | { type: 'add-arguments'; values: readonly string[]; at?: number }
  | { type: 'move-argument'; from: number; to: number }
  | { type: 'remove-argument'; at: number }
  | { type: 'variable'; list: ListName; at: number; change: Partial<VariableDraft> }
  | { type: 'add-variables'; list: ListName; rows: readonly { name: string; value: string }[] }
  | { type: 'remove-variable'; list: ListName; at: number }
  | { type: 'go'; to: Place }
  | { type: 'next' }
  | { type: 'back' }
  | { type: 'testing'; id: string }
  | { type: 'retest' }
  | { type: 'consent'; given: boolean }

/** The wizard before anything is typed; or filled from a definition, at any step. */
export function startState(definition?: Definition, step: StepName = 'transport'): WizardState {
  const draft = definition ? draftOf(definition) : emptyDraft
  return {
    step,
    reached: step,
    draft,
    paste: '',
    choice: 0,
    taken: '',
    dirty: false,
    filled: definition !== undefined,
    focus: undefined,
    attempts: 0,
    testId: undefined,
    consent: false,
    nextKey: 1000,
  }
}

export const stepIndex = (step: StepName) => stepNames.indexOf(step)

/** One pure step of the wizard. A change of the draft makes the last test and the consent void. */
export function wizard(state: WizardState, action: WizardAction): WizardState {
  switch (action.type) {
    case 'pasted':
      return { ...state, paste: action.text, choice: 0, dirty: state.dirty || action.text.trim() !== '' }
    case 'choose':
      return { ...state, choice: action.choice }
    case 'took':
      return took(state, action.definition)
    case 'go': {
      const to = placeIn(state.draft, action.to)
      return arrive({ ...opened(state, to), focus: to.field }, to.step)
    }
    case 'next':
      return arrive({ ...state, focus: undefined }, stepNames[stepIndex(state.step) + 1] ?? state.step)
    case 'back':
      return arrive({ ...state, focus: undefined }, stepNames[stepIndex(state.step) - 1] ?? state.step)
    case 'testing':
      return { ...state, testId: action.id, attempts: state.attempts + 1 }
    case 'retest':
      return { ...state, testId: undefined }
    case 'consent':
      return { ...state, consent: action.given }
    default:
      return edited(state, action)
  }
}

function arrive(state: WizardState, step: StepName): WizardState {
  const further = stepIndex(step) > stepIndex(state.reached)
  return { ...state, step, reached: further ? step : state.reached }
}

/** The first field of a client that a person registered. */
export const clientField = 'auth.client_id'

/** The first field of a local program's sign-in. */
export const tokenField = 'auth.env_token_var'

/** A local program's sign-in is among its parameters: the Auth step has nothing for it. */
export const placeIn = (draft: Pick<Draft, 'transport'>, to: Place): Place =>
  isLocal(draft) && to.field?.startsWith('auth') ? { step: 'parameters', field: tokenField } : to

/** Going to a field of the Auth step opens the row that has it. */
function opened(state: WizardState, { field }: Place): WizardState {
  const { auth } = state.draft
  if (isLocal(state.draft)) return state
  if (field?.startsWith('auth.') && auth.kind !== 'oauth') {
    return changed(state, { ...state.draft, auth: { ...auth, kind: 'oauth' } })
  }
  if (field !== 'auth' || !['none', 'oauth'].includes(auth.kind)) return state
  return changed(state, { ...state.draft, auth: { ...auth, kind: 'bearer' } })
}

function took(state: WizardState, definition: Definition): WizardState {
  const taken = `${state.choice}:${state.paste}`
  if (taken === state.taken) return state
  const draft = draftOf(definition, state.nextKey)
  const rows = draft.args.length + draft.env.length + draft.headers.length
  return changed({ ...state, taken, filled: true, nextKey: state.nextKey + rows }, draft)
}

/** Asking before calls is no part of what a test tried; anything else is. */
function changed(state: WizardState, draft: Draft): WizardState {
  const onlyAsk = Object.keys(draft).every(
    (name) => name === 'ask' || draft[name as keyof Draft] === state.draft[name as keyof Draft],
  )
  if (onlyAsk) return { ...state, draft }
  return { ...state, draft, dirty: true, testId: undefined, consent: false }
}

type Edit = Exclude<
  WizardAction,
  { type: 'pasted' | 'choose' | 'took' | 'go' | 'next' | 'back' | 'testing' | 'retest' | 'consent' }
>

function edited(state: WizardState, action: Edit): WizardState {
  const { draft } = state
  switch (action.type) {
    case 'transport':
      return changed(state, { ...draft, transport: action.transport })
    case 'auth':
      return changed(state, { ...draft, auth: { ...draft.auth, ...action.auth } })
    case 'edit':
      return changed(state, { ...draft, ...action.change })
    case 'argument':
      return changed(state, { ...draft, args: replace(draft.args, action.at, { value: action.value }) })
    case 'add-arguments':
      return addArguments(state, action.values, action.at ?? draft.args.length)
    case 'move-argument':
      return changed(state, { ...draft, args: moved(draft.args, action.from, action.to) })
    case 'remove-argument':
      return changed(state, { ...draft, args: draft.args.filter((_row, n) => n !== action.at) })
    case 'variable':
      return changed(state, {
        ...draft,
        [action.list]: replace(draft[action.list], action.at, marked(draft[action.list][action.at], action.change)),
      })
    case 'add-variables':
      return addVariables(state, action.list, action.rows)
    case 'remove-variable':
      return changed(state, { ...draft, [action.list]: draft[action.list].filter((_row, n) => n !== action.at) })
  }
}

function addArguments(state: WizardState, values: readonly string[], at: number): WizardState {
  const rows = values.map((value, n) => ({ key: state.nextKey + n, value }))
  const next = { ...state, nextKey: state.nextKey + rows.length }
  return changed(next, { ...state.draft, args: state.draft.args.toSpliced(at, 0, ...rows) })
}

function addVariables(
  state: WizardState,
  list: ListName,
  rows: readonly { name: string; value: string }[],
): WizardState {
  const added = rows.map(({ name, value }, n) => ({
    key: state.nextKey + n,
    name,
    value,
    secret: looksSecret(name, value),
  }))
  const next = { ...state, nextKey: state.nextKey + rows.length }
  return changed(next, { ...state.draft, [list]: [...state.draft[list], ...added] })
}

/** A value that starts to look like a secret goes to the keyring; once there, only a person takes it out. */
function marked(row: VariableDraft | undefined, change: Partial<VariableDraft>): Partial<VariableDraft> {
  if (row === undefined || change.secret !== undefined) return change
  const next = { ...row, ...change }
  return { ...change, secret: row.secret === true || looksSecret(next.name, next.value) }
}

const replace = <T>(list: readonly T[], at: number, change: Partial<T>): T[] =>
  list.map((item, n) => (n === at ? { ...item, ...change } : item))

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** Splits a paste of several lines into rows; one line stays one value. */
export const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Reads lines such as NAME=value, export NAME="value" or Name: value. */
export function variablesOf(text: string): { name: string; value: string }[] {
  return linesOf(text).map((line) => {
    const [, name = line, value = ''] = /^(?:export\s+)?([\w.-]+)\s*[=:]\s*(.*)$/.exec(line) ?? []
    return { name, value: value.replace(/^(["'])(.*)\1$/, '$2') }
  })
}
