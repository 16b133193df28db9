import { request } from './client'
import type { Finding, Readiness, Renewal, Setting, Status } from './types'

export const getStatus = (signal?: AbortSignal) => request<Status>('GET', '/api/status', undefined, signal)

export const listSettings = async (signal?: AbortSignal) =>
  (await request<{ settings: Setting[] }>('GET', '/api/settings', undefined, signal)).settings

/** Changes one setting; undefined brings its default back. */
export const changeSetting = async (key: string, value: string | undefined) =>
  (await request<{ settings: Setting[] }>('PATCH', '/api/settings', { key, value })).settings

/** Keeps the key of the model's endpoint; undefined forgets it. */
export const changeModelKey = async (key: string | undefined) =>
  (
    await (key === undefined
      ? request<{ settings: Setting[] }>('DELETE', '/api/model/key')
      : request<{ settings: Setting[] }>('PUT', '/api/model/key', { key }))
  ).settings

/** Tries the connection to the model that is set. */
export const checkModel = () => request<Readiness>('POST', '/api/model/check')

export const runDoctor = async (signal?: AbortSignal) =>
  (await request<{ findings: Finding[] }>('GET', '/api/doctor', undefined, signal)).findings

/** Makes a new key for the secrets in place of one that is lost; refused when it is not. */
export const renewSecretKey = () => request<Renewal>('POST', '/api/secrets/new-key')
