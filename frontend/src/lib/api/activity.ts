import { query, request } from './client'
import type { Activity, ChainReport } from './types'

export interface ActivityQuery {
  server?: string
  caller?: string
  verdict?: string
  outcome?: string
  call_id?: string
  /** RFC 3339: the earliest time wanted, and the first that no longer is. */
  since?: string
  until?: string
  before?: number
  limit?: number
}

export const listActivity = (wanted: ActivityQuery, signal?: AbortSignal) =>
  request<Activity>('GET', `/api/activity${query({ ...wanted })}`, undefined, signal)

export const verifyAudit = (signal?: AbortSignal) => request<ChainReport>('GET', '/api/audit/verify', undefined, signal)
