import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { lookAgain } from '@/features/connexions'
import {
  ApiError,
  cancelCall,
  getCall,
  getServer,
  listPrompts,
  listResources,
  listSkills,
  listTools,
  startCall,
  type Call,
  type Server,
} from '@/lib/api'
import type { Target } from '@/lib/fillIn'
import type { Json, JsonObject } from '@/lib/json'
import { announcesSkills } from './sections'

export const useServer = (id: string) =>
  useQuery({
    queryKey: ['servers', id],
    queryFn: ({ signal }) => getServer(id, signal),
    refetchInterval: ({ state }) => lookAgain(state.data && [state.data]),
  })

export const useTools = (id: string) =>
  useQuery({ queryKey: ['tools', id], queryFn: ({ signal }) => listTools(id, signal) })

export const useResources = (id: string) =>
  useQuery({ queryKey: ['servers', id, 'resources'], queryFn: ({ signal }) => listResources(id, signal) })

export const usePrompts = (id: string) =>
  useQuery({ queryKey: ['servers', id, 'prompts'], queryFn: ({ signal }) => listPrompts(id, signal) })

/** The skills of a server that announces some; others are not asked. */
export const useSkills = (server: Server) =>
  useQuery({
    queryKey: ['servers', server.id, 'skills'],
    queryFn: ({ signal }) => listSkills(server.id, signal),
    enabled: announcesSkills(server),
  })

/** Milliseconds that one request stays for the end of a call; in between the page can show that it still runs. */
const STAY = 1000
const KEPT_CALLS = 20

/** A call that was made from this page, with what was sent. */
export interface Made {
  id: string
  arguments: JsonObject
  at: string
}

/** The calls of a target that this window made, the latest first. They are kept until the window closes. */
export function useMadeCalls(target: Target): readonly Made[] {
  return useQuery<readonly Made[]>({
    queryKey: madeKey(target),
    queryFn: () => [],
    enabled: false,
    initialData: [],
    gcTime: Infinity,
  }).data
}

const madeKey = ({ server, kind, name }: Target) => ['made', server, kind, name]

export interface Making {
  /** What the call is remembered under. */
  target: Target
  /** The name that is sent, where it differs: the address that a template came to. */
  name?: string
  args: JsonObject
}

/** Makes a call; it then goes on by itself, whatever page is open. */
export function useMakeCall() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ target, name = target.name, args }: Making) => {
      const withArguments = target.kind === 'resource' ? {} : { arguments: args }
      return startCall({ ...target, name, ...withArguments, approval_wait_ms: -1, wait_ms: 300 })
    },
    onSuccess: (call, { target, args }) => {
      client.setQueryData(['calls', call.id], call)
      remember(client, target, { id: call.id, arguments: args, at: call.started_at })
    },
  })
}

function remember(client: QueryClient, target: Target, made: Made): void {
  client.setQueryData<readonly Made[]>(madeKey(target), (before = []) => [made, ...before].slice(0, KEPT_CALLS))
}

/** A call, followed to its end. */
export const useCall = (id: string | undefined) =>
  useQuery({
    queryKey: ['calls', id],
    queryFn: ({ signal }) => getCall(id ?? '', STAY, signal),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (isOver(state.data, state.error) ? false : 50),
    staleTime: ({ state }) => (isOver(state.data, state.error) ? Infinity : 0),
    gcTime: Infinity,
  })

function isOver(call: Call | undefined, error: Error | null): boolean {
  return call?.status === 'done' || (error instanceof ApiError && error.status === 404)
}

export const useCancelCall = () => useMutation({ mutationFn: cancelCall })

/** The raw result as our own JSON type; null while there is none. */
export const rawResult = (call: Call): Json => (call.result?.raw ?? null) as Json
