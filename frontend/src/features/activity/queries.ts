import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  getCall,
  getRequest,
  isAsked,
  listActivity,
  listAllTools,
  listRequests,
  verifyAudit,
  type Activity,
} from '@/lib/api'
import type { Effect } from '@/lib/api'
import type { JournalCall } from './calls'
import { dayBounds, readBack, readOn } from './day'

const PAGE = 1000

const dayKey = (day: string | undefined) => ['activity', 'day', day ?? 'today']

/** The lines of one day, read on as the journal grows. */
export function useDay(day: string | undefined, frozen: boolean) {
  const client = useQueryClient()
  return useQuery<Activity>({
    queryKey: dayKey(day),
    enabled: !frozen,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<Activity>(dayKey(day))
      const { since, until } = dayBounds(day, new Date())
      const newest = before?.entries[0]
      // A new day has begun under a page that stayed open: yesterday's lines go.
      const known = newest && Date.parse(newest.at) < since.getTime() ? undefined : before
      const from = known && newest ? newest.at : since.toISOString()
      return readOn(known, await listActivity({ since: from, until: until.toISOString(), limit: PAGE }, signal))
    },
  })
}

/** Reads the lines before the oldest that is known. */
export function useOlder(day: string | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (before: number) => {
      const { since, until } = dayBounds(day, new Date())
      return listActivity({ since: since.toISOString(), until: until.toISOString(), before, limit: PAGE })
    },
    onSuccess: (page) => client.setQueryData<Activity>(dayKey(day), (now) => (now ? readBack(now, page) : page)),
  })
}

/** Whether the chain of the journal holds. It reads the whole of it, so not at every change. */
export const useChain = () =>
  useQuery({ queryKey: ['audit', 'verify'], queryFn: ({ signal }) => verifyAudit(signal), staleTime: 60_000 })

/** What each tool does to the world, by "server.tool". */
export function useEffects() {
  return useQuery({
    queryKey: ['tools'],
    queryFn: ({ signal }) => listAllTools(signal),
    select: (tools): ReadonlyMap<string, Effect> =>
      new Map(tools.map(({ server, name, effect }) => [`${server}.${name}`, effect])),
  })
}

/** The ids of the requests that wait for a person, by the digest of what they would send. */
export function useWaiting(): ReadonlyMap<string, string> {
  const waiting = useQuery({
    queryKey: ['inbox', 'waiting'],
    queryFn: ({ signal }) => listRequests('waiting', signal),
  })
  return new Map(waiting.data?.requests.map((request) => [request.arguments_digest ?? '', request.id]) ?? [])
}

/** Whether the server of a call that runs asked something and waits for the answer; known of our own doors only. */
export function useAsked({ id, entry, outcome }: JournalCall): boolean {
  const ours = entry.caller.kind === 'window' || entry.caller.kind === 'cli'
  const call = useQuery({
    queryKey: ['calls', id],
    queryFn: ({ signal }) => getCall(id, 0, signal),
    enabled: ours && outcome === 'running',
  })
  return outcome === 'running' && call.data?.status === 'running' && isAsked(call.data)
}

/** How long the core keeps the result of a call of its own doors, in milliseconds. */
const KEPT = 10 * 60_000

/** The call itself while the core still has it, and the request that asked for it; either may be gone. */
export function useKept({ id, at, entry }: JournalCall, requestId: string | undefined) {
  const ours = entry.caller.kind === 'window' || entry.caller.kind === 'cli'
  const [opened] = useState(() => Date.now())
  return {
    call: useQuery({
      queryKey: ['calls', id],
      queryFn: ({ signal }) => getCall(id, 0, signal),
      enabled: ours && opened - Date.parse(at) - (entry.duration_ms ?? 0) < KEPT,
    }),
    request: useQuery({
      queryKey: ['inbox', requestId],
      queryFn: ({ signal }) => getRequest(requestId ?? '', signal),
      enabled: requestId !== undefined && requestId !== '',
    }),
  }
}
