import { oauthFault } from '@/features/signin'
import type { FieldError, VariableUse } from '@/lib/api'
import { definitionOf, isLocal, type Draft } from './draft'
import { tokenField, type ListName } from './wizard'

/** One thing to correct before testing, tied to the field of the wizard that has it. */
export interface Fault {
  /** "name", "url", "auth", "env[2].value": the number counts the rows of the wizard. */
  field: string
  /** Chooses the sentence under wizard.faults; undefined when the failure's own words are better. */
  key: string | undefined
  error: FieldError['error']
}

/** How a fault is told under its field; undefined while the field was not reached yet. */
export type SayFault = (field: string) => string | undefined

/** Failures that a test explains better than a field can, so they do not hold it back. */
const tested = ['program_not_found']

/** What is wrong with the draft, in the fields of the wizard. The header of the Auth step is the field "auth". */
export function faultsOf(errors: readonly FieldError[], draft: Draft): Fault[] {
  return errors.map(({ field, error }) => {
    const place = inWizard(field, draft)
    return { field: place, key: error.code === 'invalid_input' ? keyOf(place, draft) : undefined, error }
  })
}

/** Where the draft uses variables, in the fields of the wizard. */
export const usesOf = (uses: readonly VariableUse[], draft: Draft): VariableUse[] =>
  uses.map((use) => ({ ...use, field: inWizard(use.field, draft) }))

/** The faults that hold the test back. */
export const blocking = (faults: readonly Fault[]) => faults.filter(({ error }) => !tested.includes(error.code))

/** The keys of the fields' names, by the first part of the field. */
const named: Record<string, string> = {
  name: 'wizard.name',
  command: 'wizard.command',
  args: 'wizard.args.title',
  url: 'wizard.url',
  auth: 'wizard.step.auth',
  cwd: 'wizard.cwd',
  timeout_ms: 'wizard.timeout',
  buffer_size: 'wizard.buffer',
  roots: 'wizard.roots.title',
  env: 'wizard.env.title',
  headers: 'wizard.headers.title',
}

/** What a field is called on the page: the name in its row, else the key of its label. */
export function fieldName(field: string, draft: Draft): { name: string } | { key: string } {
  if (field === tokenField) return { key: 'wizard.tokenAuth.title' }
  const [, list, at] = indexed.exec(field) ?? []
  const name = list === undefined ? '' : (draft[list as ListName][Number(at)]?.name ?? '')
  return name === '' ? { key: named[/^\w+/.exec(field)?.[0] ?? ''] ?? 'wizard.name' } : { name }
}

const indexed = /^(env|headers)\[(\d+)\](\.(?:name|value))?$/

/** The core counts written rows after the Auth step's header; the wizard counts its own. */
function inWizard(field: string, draft: Draft): string {
  const [, list, at, part = '.value'] = indexed.exec(field) ?? []
  if (list === undefined) return field
  const own = list === 'headers' && definitionOf({ ...draft, headers: [] }).headers?.length ? 1 : 0
  const index = Number(at) - own
  if (index < 0) return 'auth'
  const rows = draft[list as ListName]
    .map((row, n) => ({ row, n }))
    .filter(({ row }) => row.name !== '' || row.value !== '')
  return `${list}[${rows[index]?.n ?? index}]${part}`
}

/** The sentence for a value that is not valid, chosen by the field and what is in it. */
function keyOf(field: string, draft: Draft): string | undefined {
  if (field === 'command') return 'programMissing'
  if (field === 'url') return addressKey(draft.url)
  if (field === 'cwd' || field.startsWith('roots')) return 'notFullPath'
  if (field === 'timeout_ms') return 'timeout'
  if (field === 'buffer_size') return 'buffer'
  if (field === 'args' || field === 'env' || field === 'headers') return 'tooMany'
  if (field.endsWith('.value')) return 'lineBreak'
  return field.endsWith('.name') ? nameKey(field, draft) : undefined
}

function addressKey(url: string): string {
  if (url.trim() === '') return 'addressMissing'
  if (url.includes('#')) return 'addressFragment'
  return /\/\/[^/]*@/.test(url) ? 'addressPassword' : 'address'
}

function nameKey(field: string, draft: Draft): string {
  const [, list, at] = indexed.exec(field) ?? []
  const rows = draft[list as ListName]
  const name = rows[Number(at)]?.name ?? ''
  if (name === '') return 'nameMissing'
  const same = (other: string) => (list === 'headers' ? other.toLowerCase() === name.toLowerCase() : other === name)
  return rows.filter((row) => same(row.name)).length > 1 ? 'nameTwice' : 'badName'
}

/** What the Auth step itself misses; the core never sees an empty token. */
export function authFault({ auth, ...draft }: Draft): string | undefined {
  if (isLocal(draft)) return oauthFault(draft.tokenAuth, true)
  if (auth.kind === 'oauth') return oauthFault(auth.oauth, false)
  if (auth.kind === 'bearer' && auth.token.trim() === '') return 'tokenMissing'
  if (auth.kind === 'api-key' && auth.keyValue.trim() === '') return 'keyMissing'
  if (auth.kind === 'api-key' && !/^[!#$%&'*+\-.^_`|~\w]+$/.test(auth.keyName.trim())) return 'badName'
  return undefined
}
