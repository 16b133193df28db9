import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Entry } from '@/lib/api'
import { aServer, pretendCore } from '@/testing/core'
import { openApp } from '@/testing/openApp'
import { callsOf } from './calls'

const window = { kind: 'window', name: 'window', user: 'local' } as const
let seq = 0
const line = (kind: Entry['kind'], change: Partial<Entry>): Entry => {
  seq += 1
  const at = new Date(new Date().setHours(0, seq, 0, 0)).toISOString()
  return { seq, at, kind, caller: window, server: 'notion', name: '', ...change }
}

const entries = [
  line('sign_in', { outcome: 'signed_in', name: 'https://auth.example' }),
  line('rule', { outcome: 'added', verdict: 'deny', name: 'drop', rule_id: '1' }),
  line('intent', { call_id: 'c1', call_kind: 'tool', name: 'search', arguments: { query: 'kept' } }),
  line('verdict', { call_id: 'c1', call_kind: 'tool', name: 'search', verdict: 'ask', because: 'server_default' }),
  line('answer', { outcome: 'approved', call_kind: 'tool', name: 'search', request_kind: 'tool', scope: 'always' }),
  line('answer', { outcome: 'denied', request_kind: 'elicitation_form' }),
  line('answer', { outcome: 'approved', request_kind: 'definition' }),
  line('approval', {
    outcome: 'ended',
    call_kind: 'tool',
    name: 'search',
    detail: 'Cursor',
    caller: { kind: 'window', name: '', user: '' },
  }),
  line('answer', { outcome: 'refused', name: 'changeRoots', caller: { kind: 'cli', name: 'cli', user: 'local' } }),
  line('answer', { outcome: 'refused', name: 'somethingNew' }),
  line('request', { outcome: 'expired', detail: 'no_answer', call_kind: 'tool', name: 'search', request_kind: 'tool' }),
  line('request', { outcome: 'expired', detail: 'not_used', call_kind: 'tool', name: 'search', request_kind: 'tool' }),
  line('request', {
    outcome: 'lapsed',
    detail: 'wait_over',
    call_kind: 'tool',
    name: 'x',
    request_kind: 'sampling',
  }),
  line('request', {
    outcome: 'lapsed',
    detail: 'wait_over',
    call_kind: 'tool',
    name: 'x',
    request_kind: 'elicitation_url',
  }),
  line('request', { outcome: 'lapsed', detail: 'outdated', name: 'drop', request_kind: 'definition' }),
  line('request', { outcome: 'lapsed', detail: 'over_limit', request_kind: 'elicitation_form' }),
  line('budget', {
    outcome: 'reached',
    name: 'local',
    detail: '4/5',
    caller: { kind: 'cli', name: 'cli', user: 'local' },
  }),
  line('budget', { outcome: 'reached', name: 'local', detail: '8/10', server: '' }),
  line('settings', { outcome: 'changed', name: 'audit.keep_days', detail: '90', server: '' }),
]

function open(address: string) {
  pretendCore({
    'GET /api/servers': { servers: [aServer()] },
    'GET /api/activity': { entries: entries.toReversed(), totals: { calls: 0, refused: 0, failed: 0 }, before: 0 },
    'GET /api/audit/verify': { ok: true, entries: 8, removed: 12 },
    'GET /api/policy': { rules: [] },
  })
  return openApp(address)
}

const said = [
  /signed in to notion/,
  /made a rule: Deny drop on notion/,
  /approved notion\.search, always/,
  /declined a question of notion/,
  /accepted what changed at notion/,
  /Apollia ended the approval of Cursor for notion\.search/,
  /could not change the folders of a server: only a person may/,
  /could not do that \(somethingNew\): only a person may/,
  /got no answer in time about notion\.search/,
  /did not use the approval of notion\.search in time/,
  /no longer waits for an answer about a text for notion: its wait or session is over/,
  /no longer waits for an answer about a page of notion: its wait or session is over/,
  /no longer asks about notion: it has changed since, or is gone/,
  /was refused a question of notion: the limit of the hour is reached/,
  /reached 4\/5 of the hour’s budget for notion/,
  /reached 8\/10 of the hour’s budget for every server/,
  /set audit\.keep_days to 90/,
]

it('tells who decided and changed what, between the calls', async () => {
  open('/activity')
  await screen.findByRole('button', { name: /notion\.search/ })
  for (const words of said) expect(screen.getByTitle(words)).toBeDefined()
})

it('filters by what a line tells of', async () => {
  const user = open('/activity?kind=sign_in,rule')
  expect(await screen.findByTitle(/signed in to notion/)).toBeDefined()
  expect(screen.getByTitle(/made a rule/)).toBeDefined()
  expect(screen.queryByTitle(/approved/)).toBeNull()
  expect(screen.queryByRole('button', { name: /notion\.search/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove the filter Kind' }))
  expect(await screen.findByTitle(/approved/)).toBeDefined()
  await waitFor(() => expect(globalThis.location.hash).toBe('#/activity'))
})

it('says how many lines were removed for their age', async () => {
  const user = open('/activity')
  await user.hover(await screen.findByText('Journal intact'))
  expect((await screen.findByRole('tooltip')).textContent).toMatch(/^12 lines were removed for their age/)
})

it('knows what was decided of a call that still runs, and the arguments that the journal keeps', () => {
  const [call] = callsOf(entries.slice(0, 4).toReversed())
  expect([call?.outcome, call?.entry.verdict, call?.entry.arguments]).toEqual(['running', 'ask', { query: 'kept' }])
})
