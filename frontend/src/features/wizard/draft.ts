import { authOf, emptyOAuth, isBlank, oauthDraftOf, type OAuthDraft } from '@/features/signin'
import type { Definition, Transport, Variable } from '@/lib/api'
import { looksSecret } from './secrets'

export type AuthKind = 'none' | 'bearer' | 'api-key' | 'headers' | 'oauth'

/** A variable or a header while it is edited; key tells rows apart when their names are equal or empty. */
export interface VariableDraft extends Variable {
  key: number
}

export interface ArgumentDraft {
  key: number
  value: string
}

export interface AuthDraft {
  kind: AuthKind
  token: string
  keyName: string
  keyValue: string
  oauth: OAuthDraft
}

/** Everything typed into the wizard. What belongs to another transport or way of signing in is kept for a change of mind. */
export interface Draft {
  name: string
  transport: Transport
  command: string
  args: ArgumentDraft[]
  env: VariableDraft[]
  cwd: string
  /** How a local program gets a token; blank when it needs none. */
  tokenAuth: OAuthDraft
  inheritEnv: boolean
  url: string
  /** The name on the local network that the address was taken from; empty for an address of other origin. */
  instance: string
  headers: VariableDraft[]
  auth: AuthDraft
  timeoutMs: number | undefined
  bufferSize: number | undefined
  roots: string[]
  /** Whose answers may be kept, and for how many seconds; set elsewhere. */
  cacheableTools: string[]
  cacheTtl: number | undefined
  /** Asks for an approval of each call; calls without a rule are allowed otherwise. */
  ask: boolean
}

export const defaultTimeoutMs = 30_000
export const defaultBufferSize = 10 * 1024 * 1024

export const emptyDraft: Draft = {
  name: '',
  transport: 'stdio',
  command: '',
  args: [],
  env: [],
  cwd: '',
  tokenAuth: emptyOAuth,
  inheritEnv: false,
  url: '',
  instance: '',
  headers: [],
  auth: { kind: 'none', token: '', keyName: 'X-API-Key', keyValue: '', oauth: emptyOAuth },
  timeoutMs: undefined,
  bufferSize: undefined,
  roots: [],
  cacheableTools: [],
  cacheTtl: undefined,
  ask: true,
}

export const isLocal = (draft: Pick<Draft, 'transport'>) => draft.transport === 'stdio'

/** Puts a definition, pasted or saved, into the fields. Keys of rows count up from firstKey. */
export function draftOf(definition: Definition, firstKey = 0): Draft {
  let key = firstKey
  const rows = (list: readonly Variable[] = []): VariableDraft[] => list.map((one) => ({ ...one, key: key++ }))
  const { auth, rest } = takeAuth(definition)
  return {
    ...emptyDraft,
    name: definition.name,
    transport: definition.transport,
    command: definition.command ?? '',
    args: (definition.args ?? []).map((value) => ({ key: key++, value })),
    env: rows(definition.env),
    cwd: definition.cwd ?? '',
    tokenAuth: isLocal(definition) ? oauthDraftOf(definition.auth) : emptyOAuth,
    inheritEnv: definition.inherit_env ?? false,
    url: definition.url ?? '',
    instance: definition.instance ?? '',
    headers: rows(rest),
    auth,
    timeoutMs: definition.timeout_ms,
    bufferSize: definition.buffer_size,
    roots: definition.roots ?? [],
    cacheableTools: definition.cacheable_tools ?? [],
    cacheTtl: definition.cache_ttl,
    ask: definition.default_verdict !== 'allow',
  }
}

const bearer = /^Bearer\s+(.*)$/i
const keyHeader = /^(x-)?api[-_]?key$/i

/** Recognises how a definition signs in; the header that does it leaves the list. */
function takeAuth(definition: Definition): { auth: AuthDraft; rest: Variable[] } {
  const headers = definition.headers ?? []
  const without = (taken: Variable) => headers.filter((header) => header !== taken)
  if (definition.auth && !isLocal(definition)) {
    return { auth: { ...emptyDraft.auth, kind: 'oauth', oauth: oauthDraftOf(definition.auth) }, rest: headers }
  }
  const token = headers.find(({ name, value }) => name.toLowerCase() === 'authorization' && bearer.test(value))
  if (token) {
    const auth: AuthDraft = { ...emptyDraft.auth, kind: 'bearer', token: bearer.exec(token.value)?.[1] ?? '' }
    return { auth, rest: without(token) }
  }
  const key = headers.find(({ name }) => keyHeader.test(name))
  if (key) {
    const auth: AuthDraft = { ...emptyDraft.auth, kind: 'api-key', keyName: key.name, keyValue: key.value }
    return { auth, rest: without(key) }
  }
  const secret = headers.some(({ name, value, secret: marked }) => marked || looksSecret(name, value))
  return { auth: { ...emptyDraft.auth, kind: secret ? 'headers' : 'none' }, rest: headers }
}

/** The header that the Auth step makes; undefined for the ways that need none. */
export function authHeader({ auth }: Pick<Draft, 'auth'>): Variable | undefined {
  if (auth.kind === 'bearer') return secretOf('Authorization', `Bearer ${auth.token.trim()}`)
  return auth.kind === 'api-key' ? secretOf(auth.keyName.trim(), auth.keyValue.trim()) : undefined
}

const secretOf = (name: string, value: string): Variable =>
  looksSecret(name, value) ? { name, value, secret: true } : { name, value }

/** Rows without a name and a value are unfinished, not wrong. */
const written = (list: readonly VariableDraft[]): Variable[] =>
  list
    .filter(({ name, value }) => name !== '' || value !== '')
    .map(({ name, value, secret }) => (secret ? { name, value, secret } : { name, value }))

/** The definition that the fields spell. Fields of the other transports are left out. */
export function definitionOf(draft: Draft): Definition {
  const definition: Definition = { name: draft.name.trim(), transport: draft.transport }
  if (isLocal(draft)) putProgram(definition, draft)
  else putAddress(definition, draft)
  if (draft.timeoutMs !== undefined) definition.timeout_ms = draft.timeoutMs
  if (draft.bufferSize !== undefined) definition.buffer_size = draft.bufferSize
  if (draft.roots.length > 0) definition.roots = draft.roots
  if (draft.cacheableTools.length > 0) definition.cacheable_tools = draft.cacheableTools
  if (draft.cacheTtl !== undefined) definition.cache_ttl = draft.cacheTtl
  if (!draft.ask) definition.default_verdict = 'allow'
  return definition
}

function putProgram(definition: Definition, draft: Draft): void {
  definition.command = draft.command.trim()
  const args = draft.args.map(({ value }) => value).filter((value) => value !== '')
  const env = written(draft.env)
  if (args.length > 0) definition.args = args
  if (env.length > 0) definition.env = env
  if (draft.cwd.trim() !== '') definition.cwd = draft.cwd.trim()
  if (draft.inheritEnv) definition.inherit_env = true
  if (!isBlank(draft.tokenAuth)) definition.auth = authOf(draft.tokenAuth)
}

function putAddress(definition: Definition, draft: Draft): void {
  definition.url = draft.url.trim()
  if (draft.instance !== '') definition.instance = draft.instance
  const header = authHeader(draft)
  const headers = [...(header ? [header] : []), ...written(draft.headers)]
  if (headers.length > 0) definition.headers = headers
  // For a remote server the entry's own variables are the first scope of its references.
  const env = written(draft.env)
  if (env.length > 0) definition.env = env
  if (draft.auth.kind === 'oauth') definition.auth = authOf(draft.auth.oauth)
}

/** What a step's wire shows of the parameters: the package, the program or the host. */
export function subjectOf(draft: Draft): string {
  if (!isLocal(draft)) return URL.canParse(draft.url) ? new URL(draft.url).host : draft.url
  return draft.args.find(({ value }) => value !== '' && !value.startsWith('-'))?.value ?? draft.command
}

/** How many fields hold something, for "7 fields, filled already". */
export function countFilled(draft: Draft): number {
  const definition = definitionOf(draft)
  const single = [definition.name, definition.command, definition.url, definition.cwd].filter(Boolean).length
  return single + (definition.args?.length ?? 0) + (definition.env?.length ?? 0) + draft.headers.length
}
