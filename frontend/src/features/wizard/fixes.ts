import type { Failure, TestReport, Transport } from '@/lib/api'
import { defaultBufferSize, defaultTimeoutMs, isLocal, type Draft } from './draft'
import type { Place } from './wizard'

/** What the button of a fix does. */
export type FixAction =
  | { does: 'go'; to: Place }
  | { does: 'add-variable'; name: string }
  | { does: 'inherit' }
  | { does: 'timeout'; ms: number }
  | { does: 'buffer'; bytes: number }
  | { does: 'url'; url: string }
  | { does: 'transport'; transport: Transport }
  | { does: 'retry' }
  | { does: 'sign-in' }

/** One thing to try. key names its sentence under wizard.fixes and the word of its button. */
export interface Fix {
  key: string
  args?: Record<string, string | number>
  action: FixAction
}

const go = (key: string, step: Place['step'], field?: string): Fix => ({
  key,
  action: { does: 'go', to: field === undefined ? { step } : { step, field } },
})
const retry: Fix = { key: 'retry', action: { does: 'retry' } }
const signIn: Fix = { key: 'signIn', action: { does: 'sign-in' } }
const address = go('address', 'parameters', 'url')
const command = go('command', 'parameters', 'command')
const token = go('token', 'auth', 'auth')

/** Words in a program's last lines that say which variable it misses. */
const missing = [
  /\b([A-Z][A-Z0-9_]{2,})\b["'`]?\s+(?:environment variable\s+)?(?:is|was|must be|has to be)?\s*(?:not (?:set|defined|found)|missing|required|undefined|empty|unset|set|provided)/,
  /(?:[Mm]issing|[Rr]equires?|[Rr]equired|[Ss]et|[Pp]rovide|[Dd]efine|[Uu]nset|[Uu]ndefined)\b[^\n]{0,60}?\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/,
]

/** The variable a program says it misses, read from its last lines; undefined when they do not say. */
export function missingVariable(proof: string): string | undefined {
  for (const pattern of missing) {
    const name = pattern.exec(proof)?.[1]
    if (name !== undefined && name === name.toUpperCase()) return name
  }
  return undefined
}

/** What a failure's proof is: what the core attached, else the last lines of stderr. */
export function proofOf(report: Pick<TestReport, 'error' | 'stderr_tail'>): string {
  return report.error?.proof || (report.stderr_tail ?? []).join('\n')
}

/** What to do about a failed test, the likeliest first. */
export function fixesFor(report: Pick<TestReport, 'error' | 'stderr_tail'>, draft: Draft): Fix[] {
  const { error } = report
  if (!error) return [retry]
  return byCode[error.code]?.(error, draft, proofOf(report)) ?? [isLocal(draft) ? command : address]
}

type Advice = (error: Failure, draft: Draft, proof: string) => Fix[]

const byCode: Record<string, Advice> = {
  program_not_found: () => [command],
  spawn_failed: (error) => (error.args?.reason === 'no_folder' ? [go('folder', 'parameters', 'cwd')] : [command]),
  server_exited: exited,
  no_answer: (_error, draft) => [longer(draft), isLocal(draft) ? go('arguments', 'parameters', 'args') : address],
  not_json_rpc: (_error, draft) => [isLocal(draft) ? go('arguments', 'parameters', 'args') : address],
  dns_failed: () => [address],
  connection_refused: () => [retry, address],
  connection_timeout: (_error, draft) => [address, longer(draft)],
  connection_failed: () => [address],
  connection_closed: (_error, draft) => (isLocal(draft) ? [command] : [retry, address]),
  tls_failed: (error, draft) => [...(error.args?.reason === 'not_tls' ? [plain(draft)] : []), address],
  http_status: httpStatus,
  html_instead_of_mcp: (_error, draft) => [...endpoint(draft), address],
  sign_in_needed: signInFirst,
  more_rights_needed: signInFirst,
  credential_missing: (error) => (error.args?.variable ? [variable(error.args.variable)] : [token]),
  variable_unset: (error) => [go('variable', 'parameters', error.args?.field)],
  message_too_large: (_error, draft) => [buffer(draft)],
  no_common_revision: (_error, draft) => (isLocal(draft) ? [command] : [other(draft)]),
  protocol_error: (_error, draft) => (isLocal(draft) ? [command] : [other(draft), address]),
}

/** Whether a person signs in in the browser: nothing else was chosen. */
const byBrowser = (draft: Draft) => draft.auth.kind === 'none' || draft.auth.kind === 'oauth'

/** A local program is given no token of its own: its step has no field for one. */
function signInFirst(_error: Failure, draft: Draft): Fix[] {
  if (isLocal(draft)) return [signIn]
  return byBrowser(draft) ? [signIn, token] : [token]
}

function exited(_error: Failure, draft: Draft, proof: string): Fix[] {
  const name = missingVariable(proof)
  const key = name === undefined ? 'inheritMaybe' : 'inherit'
  const inherit: Fix[] = draft.inheritEnv ? [] : [{ key, action: { does: 'inherit' } }]
  return name === undefined ? [go('arguments', 'parameters', 'args'), ...inherit] : [variable(name), ...inherit]
}

const variable = (name: string): Fix => ({ key: 'addVariable', args: { name }, action: { does: 'add-variable', name } })

function longer({ timeoutMs = defaultTimeoutMs }: Draft): Fix {
  const ms = Math.min(timeoutMs * 2, 3_600_000)
  return { key: 'timeout', args: { seconds: ms / 1000 }, action: { does: 'timeout', ms } }
}

function buffer({ bufferSize = defaultBufferSize }: Draft): Fix {
  const bytes = Math.min(bufferSize * 4, 1 << 30)
  return { key: 'buffer', args: { mebibytes: Math.round(bytes / 1048576) }, action: { does: 'buffer', bytes } }
}

/** The other transport over HTTP: an old server only has SSE, a new one only Streamable HTTP. */
const other = ({ transport }: Draft): Fix =>
  transport === 'sse'
    ? { key: 'tryHttp', action: { does: 'transport', transport: 'streamable_http' } }
    : { key: 'trySse', action: { does: 'transport', transport: 'sse' } }

const plain = ({ url }: Draft): Fix => {
  const changed = url.replace(/^https:/i, 'http:')
  return { key: 'tryAddress', args: { url: changed }, action: { does: 'url', url: changed } }
}

/** The usual address of the protocol on a host whose home page answered. */
function endpoint({ url, transport }: Draft): Fix[] {
  const ending = transport === 'sse' ? '/sse' : '/mcp'
  if (!URL.canParse(url) || new URL(url).pathname.endsWith(ending)) return []
  const changed = new URL(url).origin + ending
  return [{ key: 'tryAddress', args: { url: changed }, action: { does: 'url', url: changed } }]
}

function httpStatus(error: Failure, draft: Draft): Fix[] {
  const status = error.args?.status ?? ''
  if (status === '401' || status === '403') return [token]
  if (status.startsWith('5')) return [retry, address]
  return status === '405' ? [other(draft), address] : [...endpoint(draft), address, other(draft)]
}
