import { path, query, request } from './client'

export type LogStream = 'stderr' | 'stdout' | 'server' | 'lifecycle'

/** One line of what a server wrote, or of what happened to it. */
export interface LogLine {
  seq: number
  at: string
  stream: LogStream
  text: string
}

/** One JSON-RPC message as it went over the wire, secrets masked. */
export interface Frame {
  seq: number
  at: string
  direction: 'sent' | 'received'
  /** Bytes of the whole message; text may hold only its beginning. */
  size: number
  truncated?: boolean
  text: string
}

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
