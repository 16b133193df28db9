import { expect, it } from 'vitest'
import type { InboxRequest } from '@/lib/api'
import { isNewSetup, isSetup, setupLines } from './setup'

const request = (params: unknown): InboxRequest => ({
  id: '1',
  kind: 'definition',
  status: 'waiting',
  server: 'files',
  caller: { kind: 'server', name: 'files', user: 'local' },
  tool: '',
  params: params as NonNullable<InboxRequest['params']>,
  decision: { verdict: 'ask', because: 'config_file', risk: 'high', steps: [] },
  created_at: '2026-11-26T16:00:00Z',
})

it('puts what is started beside what was', () => {
  const asked = request({
    before: { transport: 'stdio', command: 'npx', args: ['-y', 'files'], env: ['A'] },
    after: { transport: 'stdio', command: 'npx', args: ['-y', 'files', 'a b'], env: ['A', 'B'], inherit_env: true },
  })
  expect(setupLines(asked)).toEqual([
    { part: 'transport', after: 'stdio' },
    { part: 'runs', before: 'npx -y files', after: 'npx -y files "a b"' },
    { part: 'env', before: 'A', after: 'A, B' },
    { part: 'inherits', before: '', after: 'inherit_env = true' },
  ])
  expect(isNewSetup(asked)).toBe(false)
  expect(isSetup(asked)).toBe(true)
})

it('shows a new one as it is', () => {
  const asked = request({ after: { transport: 'streamable_http', url: 'https://one.example', headers: ['X-Team'] } })
  expect(setupLines(asked)).toEqual([
    { part: 'transport', after: 'streamable_http' },
    { part: 'url', after: 'https://one.example' },
    { part: 'headers', after: 'X-Team' },
  ])
  expect(isNewSetup(asked)).toBe(true)
})

it('shows what went away', () => {
  const asked = request({ before: { transport: 'stdio', cwd: '/srv' }, after: { transport: 'stdio' } })
  expect(setupLines(asked).find(({ part }) => part === 'cwd')).toEqual({ part: 'cwd', before: '/srv', after: '' })
})

it('survives what it cannot read', () => {
  for (const params of [undefined, null, [], { after: 7 }]) expect(setupLines(request(params))).toEqual([])
})
