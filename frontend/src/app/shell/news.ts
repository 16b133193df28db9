import { lacksSignIn } from '@/features/signin'
import type { NetworkView, Server } from '@/lib/api'

/** What the desktop is told of, when a person is elsewhere: requests that came, and servers that fell. */
export interface News {
  requests: number
  fallen: Server[]
}

/** The servers of the local network that the desktop need not be told of any more. */
export interface Met {
  ids: ReadonlySet<string>
  /** Milliseconds since 1970 until which a server that appears was there already, and is not news. */
  until: number
}

/** How long after its beginning a search hears of servers that were there before, in milliseconds. */
const settling = 10_000

/** What was known when the desktop was last told; undefined before the first answer of the core. */
export interface Known {
  waiting: number | undefined
  servers: readonly Server[] | undefined
}

const needsSomebody = (server: Server) => server.state === 'stopped' || lacksSignIn(server)

/** What is new since then. What stood so when the program started is not news. */
export function newsOf(then: Known, now: Known): News {
  const before = new Map(then.servers?.map((server) => [server.id, server.state]))
  const fallen = (now.servers ?? []).filter((server) => {
    const was = before.get(server.id)
    return was !== undefined && was !== server.state && needsSomebody(server)
  })
  const requests = then.waiting === undefined ? 0 : Math.max(0, (now.waiting ?? 0) - then.waiting)
  return { requests, fallen }
}

/** How many servers of the network are new, and who has been met since the search began: one that comes back is not news. */
export function newcomers(met: Met | undefined, view: NetworkView): { met: Met | undefined; count: number } {
  if (view.off || view.looked === undefined) return { met: undefined, count: 0 }
  const { ids, until } = met ?? { ids: new Set<string>(), until: Date.parse(view.looked) + settling }
  const unmet = view.servers.filter(({ id }) => !ids.has(id))
  const count = unmet.filter(({ since }) => Date.parse(since) > until).length
  return {
    met: unmet.length === 0 && met ? met : { ids: new Set([...ids, ...unmet.map(({ id }) => id)]), until },
    count,
  }
}
