import { describe, expect, it } from 'vitest'
import type { Definition } from '@/lib/api'
import { authHeader, countFilled, definitionOf, draftOf, emptyDraft, subjectOf } from './draft'

const local: Definition = {
  name: 'pg',
  transport: 'stdio',
  command: 'npx',
  args: ['-y', '@acme/mcp-postgres'],
  env: [{ name: 'DATABASE_URL', value: 'x', secret: true }],
  cwd: '/work',
  timeout_ms: 60_000,
  roots: ['/data'],
}
const remote: Definition = {
  name: 'acme',
  transport: 'streamable_http',
  url: 'https://mcp.acme.internal/mcp',
  headers: [
    { name: 'Authorization', value: 'Bearer abcdef', secret: true },
    { name: 'X-Tenant', value: 'atlas' },
  ],
}

describe('a definition put into the fields and read back', () => {
  it.each([
    ['stdio', local],
    ['HTTP with a token', remote],
    ['an API key', { ...remote, headers: [{ name: 'X-API-Key', value: 'abc', secret: true }] }],
    ['headers of one’s own', { ...remote, headers: [{ name: 'X-Acme-Token', value: 'abc', secret: true }] }],
    ['OAuth', { name: 'a', transport: 'sse', url: 'https://a/sse', auth: { type: 'oauth' } }],
    [
      'OAuth with a client',
      {
        name: 'a',
        transport: 'streamable_http',
        url: 'https://a/mcp',
        auth: { type: 'oauth', client_id: 'abc', scopes: ['read'], pkce: false },
      },
    ],
    [
      'a token in a variable',
      { ...local, auth: { type: 'oauth', provider: 'github', client_id: 'abc', env_token_var: 'GITHUB_TOKEN' } },
    ],
    ['allowed calls', { ...local, default_verdict: 'allow' }],
    [
      'a kept secret',
      { ...remote, headers: [{ name: 'Authorization', value: 'Bearer ${secret:acme/Authorization}' }] },
    ],
  ] satisfies [string, Definition][])('is the same: %s', (_what, definition) => {
    expect(definitionOf(draftOf(definition))).toEqual(definition)
  })
})

describe('the way of signing in', () => {
  const kind = (headers: Definition['headers']) => draftOf({ ...remote, headers: headers ?? [] }).auth.kind

  it('is recognised from the headers', () => {
    expect(kind(remote.headers)).toBe('bearer')
    expect(kind([{ name: 'api-key', value: 'x' }])).toBe('api-key')
    expect(kind([{ name: 'X-Acme-Secret', value: 'x' }])).toBe('headers')
    expect(kind([{ name: 'X-Tenant', value: 'x' }])).toBe('none')
  })

  it('makes a header that is a secret unless it is a reference', () => {
    const header = (token: string) => authHeader({ auth: { ...emptyDraft.auth, kind: 'bearer', token } })
    expect(header(' abc ')).toEqual({ name: 'Authorization', value: 'Bearer abc', secret: true })
    expect(header('${ACME_TOKEN}')).toEqual({ name: 'Authorization', value: 'Bearer ${ACME_TOKEN}' })
  })
})

it('keeps what belongs to the other transport out of the definition, and in the draft', () => {
  const draft = { ...draftOf(local), transport: 'sse' as const, url: 'https://a/sse' }
  expect(definitionOf(draft)).not.toHaveProperty('command')
  expect(draft.command).toBe('npx')
})

it('keeps the sign-in of a remote server from a program, and the other way round', () => {
  const remoteAuth = draftOf({ ...remote, auth: { type: 'oauth', client_id: 'abc' } })
  expect(definitionOf({ ...remoteAuth, transport: 'stdio' })).not.toHaveProperty('auth')
  const localAuth = draftOf({ ...local, auth: { type: 'oauth', provider: 'github', env_token_var: 'T' } })
  expect(definitionOf({ ...localAuth, transport: 'sse', url: 'https://a/sse' })).not.toHaveProperty('auth')
})

it('leaves unfinished rows out, and keeps arguments with spaces whole', () => {
  const draft = draftOf({ ...local, args: ['a folder', ''], env: [{ name: '', value: '' }] })
  expect(definitionOf(draft).args).toEqual(['a folder'])
  expect(definitionOf(draft)).not.toHaveProperty('env')
})

it('names what is reached', () => {
  expect(subjectOf(draftOf(local))).toBe('@acme/mcp-postgres')
  expect(subjectOf(draftOf(remote))).toBe('mcp.acme.internal')
  expect(subjectOf(draftOf({ ...remote, url: '${BASE}' }))).toBe('${BASE}')
  expect(countFilled(draftOf(local))).toBe(6)
})
