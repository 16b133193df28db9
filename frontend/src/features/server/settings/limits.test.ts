import { describe, expect, it } from 'vitest'
import { oauthDraftOf } from '@/features/signin'
import type { Definition, Server } from '@/lib/api'
import { definitionOf, limitsOf, problemsOf, withLimits, withSignIn } from './limits'

const server: Server = {
  id: 's',
  name: 'S',
  transport: 'stdio',
  command: 'npx',
  args: ['-y'],
  timeout_ms: 45_000,
  roots: ['/a'],
  trust: 'custom',
  enabled: true,
  source: 'store',
  created_at: '',
  updated_at: '',
  state: 'ready',
  since: '',
  references: 1,
  tools: 0,
  resources: 0,
  prompts: 0,
  prefix: '',
  running_calls: 0,
}

it('changes nothing when nothing was changed', () => {
  expect(withLimits(server, limitsOf(server))).toEqual(definitionOf(server))
  expect(definitionOf(server)).toEqual({
    name: 'S',
    transport: 'stdio',
    command: 'npx',
    args: ['-y'],
    timeout_ms: 45_000,
    roots: ['/a'],
  })
})

it('writes what differs from the default, in the core’s units', () => {
  const changed = withLimits(server, { timeout: 1.5, buffer: 2, verdict: 'allow', inheritEnv: true })
  expect(changed).toMatchObject({
    timeout_ms: 1500,
    buffer_size: 2_097_152,
    default_verdict: 'allow',
    inherit_env: true,
  })
  expect(changed.roots).toEqual(['/a']) // which are changed elsewhere
})

it('brings a default back', () => {
  expect(withLimits(server, { ...limitsOf(server), timeout: undefined })).not.toHaveProperty('timeout_ms')
})

it.each([
  [{ timeout: 0 }, ['timeout']],
  [{ timeout: 3601 }, ['timeout']],
  [{ buffer: 0.01 }, ['buffer']],
  [{ buffer: 2000 }, ['buffer']],
  [{ timeout: 1, buffer: 1 }, []],
  [{}, []],
])('%j has problems %j', (change, want) => {
  expect(problemsOf({ ...limitsOf(server), ...change })).toEqual(want)
})

describe('another sign-in', () => {
  const none = oauthDraftOf(undefined)
  const remote: Definition = { name: 'a', transport: 'streamable_http', url: 'https://a/mcp' }
  const local: Definition = { name: 'a', transport: 'stdio', command: 'a' }

  it('is left out where nothing is said, and kept where OAuth was chosen', () => {
    expect(withSignIn(remote, none)).toEqual(remote)
    expect(withSignIn({ ...remote, auth: { type: 'oauth', client_id: 'x' } }, none).auth).toEqual({ type: 'oauth' })
    expect(withSignIn({ ...local, auth: { type: 'oauth', provider: 'github' } }, none)).toEqual(local)
  })

  it('takes what the fields say', () => {
    expect(withSignIn(remote, { ...none, clientId: 'abc' }).auth).toEqual({ type: 'oauth', client_id: 'abc' })
  })
})
