import { path, query, request } from './client'
import type { Call, CallRequest } from './types'

export const startCall = (call: CallRequest, signal?: AbortSignal) => request<Call>('POST', '/api/calls', call, signal)

/** Shows a call; waits up to waitMs milliseconds for its end. */
export const getCall = (id: string, waitMs = 0, signal?: AbortSignal) =>
  request<Call>('GET', path`/api/calls/${id}` + query({ wait_ms: waitMs }), undefined, signal)

export const cancelCall = (id: string) => request<unknown>('DELETE', path`/api/calls/${id}`)

/** Whether the server asked something meanwhile and still waits for the answer. */
export function isAsked({ notices }: Pick<Call, 'notices'>): boolean {
  return notices.findLast(({ kind }) => kind === 'asked' || kind === 'answered')?.kind === 'asked'
}
