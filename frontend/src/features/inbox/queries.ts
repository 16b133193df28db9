import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  answerRequest,
  getDefinitionChange,
  getRequest,
  getTextOutlook,
  listRequests,
  type Answer,
  type InboxRequest,
} from '@/lib/api'

/** Everything that waits and what was answered lately. */
export const useRequests = () =>
  useQuery({ queryKey: ['inbox'], queryFn: ({ signal }) => listRequests(undefined, signal) })

/** The ids of what waits for a person; undefined before the first answer of the core. */
export const useWaitingIds = () =>
  useQuery({
    queryKey: ['inbox', 'waiting'],
    queryFn: ({ signal }) => listRequests('waiting', signal),
    select: ({ requests }) => requests.map(({ id }) => id),
  }).data

/** One request, also one that is no longer in the list. */
export const useRequest = (id: string | undefined) =>
  useQuery({
    queryKey: ['inbox', id],
    queryFn: ({ signal }) => getRequest(id ?? '', signal),
    enabled: id !== undefined,
  })

/** What changed in the tool that a request is about. A request never changes what it shows. */
export const useDefinitionChange = (id: string) =>
  useQuery({
    queryKey: ['inbox', id, 'definition'],
    queryFn: ({ signal }) => getDefinitionChange(id, signal),
    staleTime: Infinity,
  })

/** Which model a text would be asked of, and how much its server asked for this hour. */
export const useTextOutlook = ({ id, kind, status }: InboxRequest) =>
  useQuery({
    queryKey: ['inbox', id, 'text'],
    queryFn: ({ signal }) => getTextOutlook(id, signal),
    enabled: kind === 'sampling' && status === 'waiting',
  })

/** Answers requests that ask for the same thing, one after the other. */
export function useAnswer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, answer }: { ids: readonly string[]; answer: Answer }) => {
      for (const id of ids) await answerRequest(id, answer)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  })
}
