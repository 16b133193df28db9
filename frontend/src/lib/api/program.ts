import { request } from './client'
import type { Failure, Setting, Status } from './types'

export const getStatus = (signal?: AbortSignal) => request<Status>('GET', '/api/status', undefined, signal)

export const listSettings = async (signal?: AbortSignal) =>
  (await request<{ settings: Setting[] }>('GET', '/api/settings', undefined, signal)).settings

/** Changes one setting; undefined brings its default back. */
export const changeSetting = async (key: string, value: string | undefined) =>
  (await request<{ settings: Setting[] }>('PATCH', '/api/settings', { key, value })).settings

export interface Finding {
  /** A stable name, such as "node", "keyring" or "proxy". */
  check: string
  level: 'ok' | 'note' | 'problem'
  detail?: string
  error?: Failure
}

export const runDoctor = async (signal?: AbortSignal) =>
  (await request<{ findings: Finding[] }>('GET', '/api/doctor', undefined, signal)).findings
