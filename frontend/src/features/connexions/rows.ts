import type { Server, ServerState } from '@/lib/api'

/** The states that wait for something from a person, the most urgent first. */
const waiting: readonly ServerState[] = ['needs_sign_in', 'stopped', 'needs_approval', 'degraded']
const stateOrder: readonly ServerState[] = [...waiting, 'starting', 'installing', 'ready', 'off']

export type Where = 'all' | 'remote' | 'local'
export type Grouping = 'location' | 'state' | 'none'

export interface Filter {
  query: string
  where: Where
}

export interface Group {
  /** "attention", "local", "remote", "others" or a state. */
  key: string
  servers: Server[]
}

export const isLocal = (server: Pick<Server, 'transport'>) => server.transport === 'stdio'

/** Whether a server waits for a person, and so belongs to "À régler". */
export const needsAttention = (server: Pick<Server, 'state' | 'enabled' | 'moved'>) =>
  server.moved !== undefined || (server.enabled && waiting.includes(server.state))

/** What a server is reached by, in one line: a host, or the program with its arguments. */
export function reachOf(server: Pick<Server, 'transport' | 'url' | 'command' | 'args'>): string {
  if (!isLocal(server)) return hostOf(server.url ?? '')
  const program = (server.command ?? '').split(/[\\/]/).pop() ?? ''
  return [program, ...(server.args ?? [])].join(' ')
}

export function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

/** Whether a server is found by a text in its name, its tools or its address. */
export function matches(server: Server, tools: readonly string[], query: string): boolean {
  const wanted = fold(query)
  const texts = [server.name, server.url ?? '', server.command ?? '', ...(server.args ?? []), ...tools]
  return wanted === '' || texts.some((text) => fold(text).includes(wanted))
}

/** Lower case without accents. */
export function fold(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
}

export function countByPlace(servers: readonly Server[]): Record<Where, number> {
  const local = servers.filter(isLocal).length
  return { all: servers.length, remote: servers.length - local, local }
}

/** The servers a filter leaves. tools are the names of the tools by server id. */
export function filterServers(
  servers: readonly Server[],
  { query, where }: Filter,
  tools: ReadonlyMap<string, readonly string[]>,
): Server[] {
  return servers.filter(
    (server) =>
      (where === 'all' || isLocal(server) === (where === 'local')) &&
      matches(server, tools.get(server.id) ?? [], query),
  )
}

/** Puts what waits for a person first, then the rest as a person grouped it. Empty groups are left out. */
export function groupServers(servers: readonly Server[], by: Grouping): Group[] {
  const sorted = [...servers].sort(
    (a, b) => stateRank(a) - stateRank(b) || a.name.localeCompare(b.name, undefined, { numeric: true }),
  )
  const attention = sorted.filter(needsAttention)
  const rest = sorted.filter((server) => !needsAttention(server))
  if (by !== 'state') rest.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
  return [{ key: 'attention', servers: attention }, ...grouped(rest, by)].filter((group) => group.servers.length > 0)
}

function grouped(rest: Server[], by: Grouping): Group[] {
  if (by === 'none') return [{ key: 'others', servers: rest }]
  if (by === 'location') {
    return [
      { key: 'remote', servers: rest.filter((server) => !isLocal(server)) },
      { key: 'local', servers: rest.filter(isLocal) },
    ]
  }
  return stateOrder.map((state) => ({ key: state, servers: rest.filter((server) => server.state === state) }))
}

const stateRank = (server: Server) =>
  needsAttention(server) ? waiting.indexOf(server.state) : stateOrder.indexOf(server.state)

/** A name that no server has yet: "notion-2" for a copy of "notion". */
export function copyName(name: string, servers: readonly Pick<Server, 'name'>[]): string {
  const taken = new Set(servers.map((server) => server.name.toLowerCase()))
  const base = name.replace(/-\d+$/, '')
  let n = 2
  while (taken.has(`${base}-${n}`.toLowerCase())) n++
  return `${base}-${n}`
}

/** A server as an entry of an "mcpServers" snippet, with references in place of secrets. */
export function asSnippet(server: Server): string {
  const pairs = (list: Server['env']) => Object.fromEntries((list ?? []).map(({ name, value }) => [name, value]))
  const entry = isLocal(server)
    ? {
        command: server.command,
        ...(server.args?.length ? { args: server.args } : {}),
        ...(server.env?.length ? { env: pairs(server.env) } : {}),
        ...(server.cwd ? { cwd: server.cwd } : {}),
      }
    : {
        type: server.transport === 'sse' ? 'sse' : 'http',
        url: server.url,
        ...(server.headers?.length ? { headers: pairs(server.headers) } : {}),
      }
  return JSON.stringify({ mcpServers: { [server.name]: entry } }, null, 2)
}
