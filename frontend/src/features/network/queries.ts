import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { settingsScope, useIsOn } from '@/features/program'
import { announce, draftFound, followMove, lookAtNetwork, showAnnouncement, showNetwork, type Server } from '@/lib/api'

/** The settings of the local network. */
export const networkKeys = { search: 'network.search', announce: 'network.announce' } as const

/** What is seen of the local network; of a search that is off nothing is asked. */
export const useNetwork = (enabled = true) =>
  useQuery({ queryKey: ['network'], queryFn: ({ signal }) => showNetwork(signal), enabled })

/** Whether servers of the local network are searched. */
export const useIsSearched = () => useIsOn(networkKeys.search)

export const useLook = () => useMutation({ mutationFn: lookAtNetwork })

/**
 * The draft of a found server. It is made once, when a person chose to look at it, since making it contacts the server: what
 * refetches all else leaves it alone. Empty makes none.
 */
export const useDraftFound = (id: string) =>
  useQuery({
    queryKey: ['draft', id],
    queryFn: () => draftFound(id),
    enabled: ({ state }) => id !== '' && state.data === undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })

/** What the network would see of a server; empty asks of none. */
export const useAnnouncement = (server: string) =>
  useQuery({
    queryKey: ['network', 'announcement', server],
    queryFn: ({ signal }) => showAnnouncement(server, signal),
    enabled: server !== '',
    retry: false,
  })

/** Shows a server to the network, or no longer. */
export function useAnnounce() {
  const client = useQueryClient()
  return useMutation({
    scope: settingsScope,
    mutationFn: announce,
    onSuccess: (settings) => client.setQueryData(['settings'], settings),
  })
}

/** Accepts the address that a person saw. */
export function useFollowMove() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, to }: { id: string; to: string }) => followMove(id, to),
    onSuccess: (changed) =>
      client.setQueryData<Server[]>(['servers'], (now) =>
        now?.map((server) => (server.id === changed.id ? changed : server)),
      ),
  })
}
