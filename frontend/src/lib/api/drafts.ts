import { path, request } from './client'
import type { Check, Definition, Pasted, TestReport } from './types'

export const parseDraft = (text: string, signal?: AbortSignal) =>
  request<Pasted>('POST', '/api/drafts/parse', { text }, signal)

/** Checks the fields of a draft; nothing is started. serverId names the server being edited. */
export const checkDraft = (definition: Definition, serverId?: string, signal?: AbortSignal) =>
  request<Check>('POST', '/api/drafts/check', { definition, server_id: serverId }, signal)

/** Which saved server a draft belongs to: the one being edited, or the one it is a copy of. */
export interface TestSubject {
  serverId?: string | undefined
  copyOf?: string | undefined
}

export const startTest = (definition: Definition, { serverId, copyOf }: TestSubject) =>
  request<TestReport>('POST', '/api/tests', { definition, server_id: serverId, from: copyOf })

export const testServer = (serverId: string) => request<TestReport>('POST', '/api/tests', { server_id: serverId })

export const getTest = (id: string, signal?: AbortSignal) =>
  request<TestReport>('GET', path`/api/tests/${id}`, undefined, signal)

export const cancelTest = (id: string) => request<unknown>('DELETE', path`/api/tests/${id}`)
