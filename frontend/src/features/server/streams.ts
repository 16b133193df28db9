// Data that comes in numbered pages: what a server wrote, and the messages exchanged with it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readLogs, readTraffic, type Frame, type LogLine } from '@/lib/api'
import { appended, type Stream } from './stream'

const PAGE = 500
const empty = { items: [], next: 0 }

interface Options {
  /** Milliseconds between looks while nothing is heard of changes. */
  every: number
  /** Stops looking. */
  frozen?: boolean
}

/** The log of a server, read on from where it was. */
export function useLogs(id: string, { every, frozen = false }: Options) {
  const client = useQueryClient()
  const queryKey = ['logs', id]
  return useQuery<Stream<LogLine>>({
    queryKey,
    enabled: !frozen,
    refetchInterval: every,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<Stream<LogLine>>(queryKey) ?? empty
      const { lines, next } = await readLogs(id, before.next, PAGE, signal)
      return appended(before, lines, next)
    },
  })
}

export function useTraffic(id: string, { every }: Options) {
  const client = useQueryClient()
  const queryKey = ['traffic', id]
  return useQuery<Stream<Frame>>({
    queryKey,
    refetchInterval: every,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<Stream<Frame>>(queryKey) ?? empty
      const { frames, next } = await readTraffic(id, before.next, PAGE, signal)
      return appended(before, frames, next)
    },
  })
}
