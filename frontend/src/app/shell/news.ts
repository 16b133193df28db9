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

const needsSomebody: readonly Server['state'][] = ['stopped', 'needs_sign_in']

/** What is new since then. What stood so when the program started is not news. */
export function newsOf(then: Known, now: Known): News {
  const before = new Map(then.servers?.map((server) => [server.id, server.state]))
  const fallen = (now.servers ?? []).filter(({ id, state }) => {
    const was = before.get(id)
    return was !== undefined && was !== state && needsSomebody.includes(state)
  })
  const requests = then.waiting === undefined ? 0 : Math.max(0, (now.waiting ?? 0) - then.waiting)
  return { requests, fallen }
}
