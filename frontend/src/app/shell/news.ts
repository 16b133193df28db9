import { lacksSignIn } from '@/features/signin'
import type { Server } from '@/lib/api'

/** What the desktop is told of, when a person is elsewhere: requests that came, and servers that fell. */
export interface News {
  requests: number
  fallen: Server[]
}

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
