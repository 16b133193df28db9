import { path, query, request } from './client'
import type { Frame, LogLine } from './types'

/** Reads a log after a sequence number; next is the number to go on from. */
export const readLogs = (id: string, after: number, limit: number, signal?: AbortSignal) =>
  request<{ lines: LogLine[]; next: number }>(
    'GET',
    path`/api/servers/${id}/logs` + query({ after, limit }),
    undefined,
    signal,
  )

export const readTraffic = (id: string, after: number, limit: number, signal?: AbortSignal) =>
  request<{ frames: Frame[]; next: number }>(
    'GET',
    path`/api/servers/${id}/traffic` + query({ after, limit }),
    undefined,
    signal,
  )
