import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  addServer,
  cancelTest,
  checkDraft,
  getServer,
  getTest,
  parseDraft,
  startTest,
  updateServer,
  type Definition,
  type TestReport,
  type TestSubject,
} from '@/lib/api'

/** Reads a pasted text; nothing is asked for an empty one. */
export const useParsed = (text: string) =>
  useQuery({
    queryKey: ['drafts', 'parse', text],
    queryFn: ({ signal }) => parseDraft(text, signal),
    enabled: text.trim() !== '',
    staleTime: Infinity,
    gcTime: 0, // a pasted text can hold secrets
  })

/** Checks the fields of a draft; the last answer stays on screen while a new one is made. */
export const useCheck = (definition: Definition, serverId: string | undefined) =>
  useQuery({
    queryKey: ['drafts', 'check', definition, serverId],
    queryFn: ({ signal }) => checkDraft(definition, serverId, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

export const useServer = (id: string) =>
  useQuery({ queryKey: ['servers', id], queryFn: ({ signal }) => getServer(id, signal), enabled: id !== '' })

/** A live test: followed by its changes, and asked for now and then in case one is missed. */
export const useTest = (id: string | undefined) =>
  useQuery({
    queryKey: ['tests', id ?? ''],
    queryFn: ({ signal }) => getTest(id ?? '', signal),
    enabled: id !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.running === false ? false : 700),
  })

export function useStartTest() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ definition, ...subject }: { definition: Definition } & TestSubject) =>
      startTest(definition, subject),
    onSuccess: (report) => client.setQueryData<TestReport>(['tests', report.id], report),
  })
}

export const useCancelTest = () => useMutation({ mutationFn: cancelTest })

/** Saves what the test with that id passed: a new server, or a change of one. */
export function useSave() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({
      definition,
      testId,
      serverId,
      copyOf,
    }: {
      definition: Definition
      testId: string
    } & TestSubject) =>
      serverId === undefined ? addServer(definition, testId, copyOf) : updateServer(serverId, definition, testId),
    onSuccess: () => client.invalidateQueries({ queryKey: ['servers'] }),
  })
}
