import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  actOnServer,
  listAllTools,
  listServers,
  removeServer,
  restoreServer,
  reviewServer,
  type Server,
  type ServerVerb,
} from '@/lib/api'

/** Milliseconds between looks at what a server that installs writes, which no event tells. */
const INSTALLING = 1000

/** How soon to look again at some servers; false to wait for an event. */
export const lookAgain = (servers: readonly Server[] | undefined) =>
  servers?.some(({ state }) => state === 'installing') ? INSTALLING : (false as const)

export const useServers = () =>
  useQuery({
    queryKey: ['servers'],
    queryFn: ({ signal }) => listServers(signal),
    refetchInterval: ({ state }) => lookAgain(state.data),
  })

export const useAllTools = () => useQuery({ queryKey: ['tools'], queryFn: ({ signal }) => listAllTools(signal) })

/** The names of the tools by server id, for the search. */
export function useToolNames(): ReadonlyMap<string, readonly string[]> {
  const { data } = useAllTools()
  return useMemo(() => {
    const names = new Map<string, string[]>()
    for (const { server, name } of data ?? []) names.set(server, [...(names.get(server) ?? []), name])
    return names
  }, [data])
}

/** Switches, starts or stops a server; the list shows the core's answer at once. */
export function useActOnServer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, verb }: { id: string; verb: ServerVerb }) => actOnServer(id, verb),
    onSuccess: (changed) =>
      client.setQueryData<Server[]>(['servers'], (now) =>
        now?.map((server) => (server.id === changed.id ? changed : server)),
      ),
  })
}

export function useRemoveServer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: removeServer,
    onSuccess: (_done, id) =>
      client.setQueryData<Server[]>(['servers'], (now) => now?.filter((server) => server.id !== id)),
  })
}

export function useRestoreServer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: restoreServer,
    onSuccess: () => client.invalidateQueries({ queryKey: ['servers'] }),
  })
}

/** Has a person asked again about a server of config.toml that waits; gives the request. */
export const useReviewServer = () => useMutation({ mutationFn: reviewServer })

/** A function that gives the name of a server by its id; the id itself once the server is gone. */
export function useServerName(): (id: string) => string {
  const { data } = useServers()
  return (id) => data?.find((server) => server.id === id)?.name ?? id
}
