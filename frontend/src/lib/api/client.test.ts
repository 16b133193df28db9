import { afterEach, expect, it, vi } from 'vitest'
import { ApiError, isUnreachable, path, query, request } from './client'

const answer = (body: string, status = 200) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(new Response(body, { status }))),
  )
const failure = (call: Promise<unknown>) => call.catch((error: unknown) => error as ApiError)

afterEach(() => vi.unstubAllGlobals())

it('sends JSON strings and nothing else', async () => {
  answer('{"ok":true}')
  await expect(request('POST', '/api/x', { a: 1 })).resolves.toEqual({ ok: true })
  expect(fetch).toHaveBeenCalledWith('/api/x', {
    method: 'POST',
    cache: 'no-store',
    body: '{"a":1}',
    headers: { 'Content-Type': 'application/json' },
  })
})

it('makes an error of what the core names', async () => {
  answer('{"error":{"code":"duplicate_name","message":"taken","args":{"name":"pg"}}}', 409)
  const error = await failure(request('POST', '/api/servers', {}))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'duplicate_name', message: 'taken', args: { name: 'pg' }, hint: '', status: 409 })
})

it('does not take a page of a proxy for an answer', async () => {
  answer('<html>Bad gateway</html>', 502)
  expect(await failure(request('GET', '/api/x'))).toMatchObject({ code: 'internal', status: 502 })
})

it('knows silence from an answer, and a cancelled request from both', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')))
  const silent = await failure(request('GET', '/api/x'))
  expect(isUnreachable(silent)).toBe(true)
  vi.stubGlobal('fetch', () => Promise.reject(new DOMException('stop', 'AbortError')))
  expect(isUnreachable(await failure(request('GET', '/api/x')))).toBe(false)
})

it('reads an empty answer as nothing', async () => {
  answer('')
  await expect(request('DELETE', '/api/x')).resolves.toBeUndefined()
})

it('escapes the parts of a path and leaves empty values out of a query', () => {
  expect(path`/api/servers/${'a/b c'}/tools`).toBe('/api/servers/a%2Fb%20c/tools')
  expect(query({ a: 'x y', b: undefined, c: '', d: 0 })).toBe('?a=x+y&d=0')
  expect(query({ a: undefined })).toBe('')
})
