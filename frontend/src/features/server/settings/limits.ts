// The settings of a server that the page changes itself, and the definition that they make.
import { authOf, isBlank, type OAuthDraft } from '@/features/signin'
import type { Definition, Server, Verdict } from '@/lib/api'

export interface Limits {
  /** Seconds; undefined means the default. */
  timeout: number | undefined
  /** MiB; undefined means the default. */
  buffer: number | undefined
  verdict: Verdict
  inheritEnv: boolean
}

export const defaults = { timeout: 30, buffer: 10 }

const MIB = 1 << 20

export function limitsOf(server: Definition): Limits {
  return {
    timeout: server.timeout_ms ? server.timeout_ms / 1000 : undefined,
    buffer: server.buffer_size ? server.buffer_size / MIB : undefined,
    verdict: server.default_verdict ?? 'ask',
    inheritEnv: server.inherit_env ?? false,
  }
}

/** What the page leaves as it is. */
const kept = [
  'name',
  'transport',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'roots',
  'auth',
  'instance',
  'cacheable_tools',
  'cache_ttl',
] as const
const limited = ['inherit_env', 'timeout_ms', 'buffer_size', 'default_verdict'] as const

/** The definition of a server without its identity and live side. */
export function definitionOf(server: Server, keys: readonly (keyof Definition)[] = [...kept, ...limited]): Definition {
  const entries = keys.flatMap((key) => (server[key] === undefined ? [] : [[key, server[key]]]))
  return Object.fromEntries(entries) as Definition
}

/** The definition with other limits; what is at its default is left out. */
export function withLimits(server: Server, { timeout, buffer, verdict, inheritEnv }: Limits): Definition {
  const rest = definitionOf(server, kept)
  return {
    ...rest,
    ...(timeout === undefined ? {} : { timeout_ms: Math.round(timeout * 1000) }),
    ...(buffer === undefined ? {} : { buffer_size: Math.round(buffer * MIB) }),
    ...(inheritEnv ? { inherit_env: true } : {}),
    ...(verdict === 'ask' ? {} : { default_verdict: verdict }),
  }
}

/** The definition with another sign-in; one that says nothing is left as it was. */
export function withSignIn(definition: Definition, draft: OAuthDraft): Definition {
  const { auth, ...rest } = definition
  const none = isBlank(draft) && (auth === undefined || definition.transport === 'stdio')
  return none ? rest : { ...rest, auth: authOf(draft) }
}

export type LimitProblem = 'timeout' | 'buffer'

/** What cannot be saved: the same bounds as the core's. */
export function problemsOf({ timeout, buffer }: Limits): LimitProblem[] {
  const problems: LimitProblem[] = []
  if (timeout !== undefined && !(timeout > 0 && timeout <= 3600)) problems.push('timeout')
  if (buffer !== undefined && !(buffer >= 1 / 16 && buffer <= 1024)) problems.push('buffer')
  return problems
}
