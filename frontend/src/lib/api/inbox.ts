import { path, query, request } from './client'
import type { Answer, Approval, DefinitionChange, InboxRequest, TextOutlook } from './types'

export interface RequestList {
  requests: InboxRequest[]
  waiting: number
}

export const listRequests = (status?: 'waiting' | 'answered', signal?: AbortSignal) =>
  request<RequestList>('GET', `/api/inbox${query({ status })}`, undefined, signal)

export const getRequest = (id: string, signal?: AbortSignal) =>
  request<InboxRequest>('GET', path`/api/inbox/${id}`, undefined, signal)

export const getTextOutlook = (id: string, signal?: AbortSignal) =>
  request<TextOutlook>('GET', path`/api/inbox/${id}/text`, undefined, signal)

export const answerRequest = (id: string, answer: Answer) =>
  request<InboxRequest>('POST', path`/api/inbox/${id}/answer`, answer)

/** What changed in the definition of the tool that a request is about. */
export const getDefinitionChange = (id: string, signal?: AbortSignal) =>
  request<DefinitionChange>('GET', path`/api/inbox/${id}/definition`, undefined, signal)

/** Asks about a held tool again, or finds the request that waits. */
export const reviewTool = (server: string, tool: string) =>
  request<InboxRequest>('POST', path`/api/servers/${server}/tools/review`, { tool })

export const listApprovals = async (signal?: AbortSignal) =>
  (await request<{ approvals: Approval[] }>('GET', '/api/approvals', undefined, signal)).approvals

export const revokeApproval = (id: string) => request<unknown>('DELETE', path`/api/approvals/${id}`)
