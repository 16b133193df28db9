import { path, request } from './client'
import type { Definition, Prompt, Resource, Server, Skill, ToolView } from './types'

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

/** Removes a server; restoreServer brings it back for a while. */
export const removeServer = (id: string) => request<unknown>('DELETE', path`/api/servers/${id}`)

export const restoreServer = (id: string) => request<Server>('POST', path`/api/servers/${id}/restore`)

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
