import { query, request } from './client'
import type { Caller, CallKind, Failure } from './types'

/** One line of the journal. A call has an intent line before it starts and an outcome line after it ended. */
export interface Entry {
  seq: number
  at: string
  kind: 'intent' | 'outcome' | 'answer' | 'rule' | 'server' | 'settings'
  call_id?: string
  caller: Caller
  server: string
  call_kind?: CallKind
  name: string
  request_id?: string
  arguments_digest?: string
  /** Only kept when the person asked for it. */
  arguments?: unknown
  verdict?: string
  because?: string
  rule_id?: string
  outcome?: 'ok' | 'tool_error' | 'error' | 'refused' | 'canceled' | 'unknown'
  code?: string
  duration_ms?: number
  bytes?: number
  hash?: string
}

/** What happened since midnight. */
export interface Totals {
  calls: number
  refused: number
  failed: number
}

export interface Activity {
  /** Newest first. */
  entries: Entry[]
  totals: Totals
  /** The sequence number to continue with; 0 at the end. */
  before: number
}

export interface ActivityQuery {
  server?: string
  caller?: string
  verdict?: string
  outcome?: string
  call_id?: string
  /** RFC 3339. */
  since?: string
  until?: string
  before?: number
  limit?: number
}

export const listActivity = (wanted: ActivityQuery, signal?: AbortSignal) =>
  request<Activity>('GET', `/api/activity${query({ ...wanted })}`, undefined, signal)

/** Whether the chain of the journal holds. */
export interface ChainReport {
  ok: boolean
  entries: number
  /** Lines that a kill cut short; nothing was done on their word. */
  torn?: number
  /** The sequence number of the first line that does not fit. */
  broken_at?: number
  error?: Failure
}

export const verifyAudit = (signal?: AbortSignal) => request<ChainReport>('GET', '/api/audit/verify', undefined, signal)
