import { expect, it } from 'vitest'
import type { Entry } from '@/lib/api'
import { effectOf, newRuleOf, type RuleDraft } from './ruleDraft'

const draft = (change: Partial<RuleDraft>): RuleDraft => ({
  verdict: 'deny',
  server: '',
  action: '',
  client: '',
  ...change,
})

it.each([
  [draft({}), { verdict: 'deny', server: '*' }],
  [draft({ server: 'github', action: ' delete_* ' }), { verdict: 'deny', server: 'github', actions: ['delete_*'] }],
  [draft({ client: 'a*b' }), { verdict: 'deny', server: '*', client: 'a\\*b' }],
])('makes a rule of %j', (given, want) => {
  expect(newRuleOf(given)).toEqual(want)
})

it('counts the calls of today that it would have answered otherwise', () => {
  const entry = (change: Partial<Entry>): Entry => ({
    seq: 1,
    at: '',
    kind: 'outcome',
    caller: { kind: 'client', name: 'Cursor', user: 'local' },
    server: 'github',
    call_kind: 'tool',
    name: 'delete_branch',
    verdict: 'ask',
    ...change,
  })
  const entries = [
    entry({}),
    entry({ verdict: 'deny' }),
    entry({ kind: 'intent' }),
    entry({ name: 'x' }),
    entry({ verdict: '' }),
  ]
  expect(effectOf(draft({ server: 'github', action: 'delete_*' }), entries)).toBe(1)
  expect(effectOf(draft({ verdict: 'allow' }), entries)).toBe(3)
  expect(effectOf(draft({ client: 'VS Code' }), entries)).toBe(0)
})
