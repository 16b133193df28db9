import { path, query, request } from './client'
import type {
  Completion,
  Completions,
  Definition,
  InboxRequest,
  LogLevel,
  Prompt,
  Resource,
  RootsChange,
  Server,
  Skill,
  Subscription,
  ToolView,
} from './types'

type Signal = AbortSignal | undefined

export const listServers = async (signal?: Signal) =>
  (await request<{ servers: Server[] }>('GET', '/api/servers', undefined, signal)).servers

export const getServer = (id: string, signal?: Signal) =>
  request<Server>('GET', path`/api/servers/${id}`, undefined, signal)

/** Adds a server whose test with that id passed; copyOf names the server it is a copy of. */
export const addServer = (definition: Definition, testId: string, copyOf?: string) =>
  request<Server>('POST', '/api/servers', { definition, test_id: testId, from: copyOf })

export const updateServer = (id: string, definition: Definition, testId: string) =>
  request<Server>('PUT', path`/api/servers/${id}`, { definition, test_id: testId })

/** Names and takes away folders that a server is told of. */
export const changeRoots = (id: string, change: RootsChange) =>
  request<Server>('POST', path`/api/servers/${id}/roots`, change)

/** Removes a server; restoreServer brings it back for a while. */
export const removeServer = (id: string) => request<unknown>('DELETE', path`/api/servers/${id}`)

export const restoreServer = (id: string) => request<Server>('POST', path`/api/servers/${id}/restore`)

/** Asks anew about an entry of config.toml that waits to be confirmed; gives the request in the inbox. */
export const reviewServer = (id: string) => request<InboxRequest>('POST', path`/api/servers/${id}/review`)

export type ServerVerb = 'enable' | 'disable' | 'connect' | 'disconnect' | 'reconnect'

export const actOnServer = (id: string, verb: ServerVerb) => request<Server>('POST', path`/api/servers/${id}/${verb}`)

export const listAllTools = async (signal?: Signal) =>
  (await request<{ tools: ToolView[] }>('GET', '/api/tools', undefined, signal)).tools

export const listTools = async (id: string, signal?: Signal) =>
  (await request<{ tools: ToolView[] }>('GET', path`/api/servers/${id}/tools`, undefined, signal)).tools

export const listResources = (id: string, signal?: Signal) =>
  request<{ resources: Resource[]; templates: Resource[] }>(
    'GET',
    path`/api/servers/${id}/resources`,
    undefined,
    signal,
  )

export const listPrompts = async (id: string, signal?: Signal) =>
  (await request<{ prompts: Prompt[] }>('GET', path`/api/servers/${id}/prompts`, undefined, signal)).prompts

export const listSkills = async (id: string, signal?: Signal) =>
  (await request<{ skills: Skill[] }>('GET', path`/api/servers/${id}/skills`, undefined, signal)).skills
/** The values that the server proposes for an argument of a prompt or a template. */
export const completeArgument = (id: string, asked: Completion, signal?: Signal) =>
  request<Completions>('POST', path`/api/servers/${id}/complete`, asked, signal)

type Subscriptions = { subscriptions: Subscription[] }

/** The resources of a server that are followed. */
export const listSubscriptions = async (id: string, signal?: Signal) =>
  (await request<Subscriptions>('GET', path`/api/servers/${id}/subscriptions`, undefined, signal)).subscriptions

/** Follows a resource, or no longer. */
export const followResource = async (id: string, uri: string, follow: boolean) => {
  const place = path`/api/servers/${id}/subscriptions`
  const answer = follow
    ? request<Subscriptions>('PUT', place, { uri })
    : request<Subscriptions>('DELETE', place + query({ uri }))
  return (await answer).subscriptions
}

/** Says from which level on a server sends log messages. */
export const setLogLevel = (id: string, level: LogLevel['level']) =>
  request<unknown>('PUT', path`/api/servers/${id}/log-level`, { level })
