import { request } from './client'
import type { Finding, Renewal, Setting, Status } from './types'

export const getStatus = (signal?: AbortSignal) => request<Status>('GET', '/api/status', undefined, signal)

export const listSettings = async (signal?: AbortSignal) =>
  (await request<{ settings: Setting[] }>('GET', '/api/settings', undefined, signal)).settings

/** Changes one setting; undefined brings its default back. */
export const changeSetting = async (key: string, value: string | undefined) =>
  (await request<{ settings: Setting[] }>('PATCH', '/api/settings', { key, value })).settings

export const runDoctor = async (signal?: AbortSignal) =>
  (await request<{ findings: Finding[] }>('GET', '/api/doctor', undefined, signal)).findings

/** Makes a new key for the secrets in place of one that is lost; refused when it is not. */
export const renewSecretKey = () => request<Renewal>('POST', '/api/secrets/new-key')
