import { parseJson, writeJson, type Json } from '@/lib/json'
import type { Failure } from './types'

/** A failure the core named. Its code chooses the words; message is the English sentence to fall back on. */
export class ApiError extends Error {
  readonly code: string
  readonly hint: string
  readonly args: Record<string, string>
  readonly proof: string
  /** The HTTP status; 0 when nothing answered. */
  readonly status: number

  constructor(failure: Failure, status: number) {
    super(failure.message)
    this.name = 'ApiError'
    this.code = failure.code
    this.hint = failure.hint ?? ''
    this.args = failure.args ?? {}
    this.proof = failure.proof ?? ''
    this.status = status
  }
}

/** Says that the core itself did not answer, which no page can mend. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Sends one request to the core and reads its JSON answer. Bodies are JSON strings only: any other kind of body
 * ends WebKitGTK's process. Numbers keep all their digits both ways.
 */
export async function request<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { method, cache: 'no-store' }
  if (body !== undefined) {
    init.body = writeJson(body as Json)
    init.headers = { 'Content-Type': 'application/json' }
  }
  if (signal) init.signal = signal
  const response = await fetch(path, init).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError({ code: 'core_unreachable', message: 'The core does not answer.' }, 0)
  })
  const text = await response.text()
  if (!response.ok) throw new ApiError(failureOf(text, response.status), response.status)
  return (text === '' ? undefined : parseJson(text)) as T
}

function failureOf(text: string, status: number): Failure {
  try {
    const { error } = JSON.parse(text) as { error?: Failure }
    if (error?.code) return error
  } catch {
    // Not JSON: a proxy or the asset server answered in place of the core.
  }
  return { code: 'internal', message: `The core answered with status ${status}.` }
}

/** A path with its parts escaped: path`/api/servers/${id}`. */
export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce((whole, part, n) => whole + encodeURIComponent(values[n - 1] ?? '') + part)
}

/** The query string of the given values, empty ones left out. */
export function query(values: Record<string, string | number | boolean | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
