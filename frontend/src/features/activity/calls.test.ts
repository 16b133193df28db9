import { describe, expect, it } from 'vitest'
import type { Effect, Entry } from '@/lib/api'
import { byHour, callsOf, dayBars, effectOf, titleOf, type JournalCall } from './calls'
import { readFilters } from './filters'
import { matches, relief } from './matching'

let seq = 0
const at = (hour: number, minute = 0) => new Date(2025, 10, 26, hour, minute).toISOString()

function entry(change: Partial<Entry>): Entry {
  seq += 1
  return {
    seq,
    at: at(16),
    kind: 'outcome',
    call_id: `c${seq}`,
    caller: { kind: 'client', name: 'Cursor', user: 'local' },
    server: 'github',
    call_kind: 'tool',
    name: 'create_issue',
    outcome: 'ok',
    ...change,
  }
}

const call = (change: Partial<Entry>): JournalCall => {
  const [only] = callsOf([entry(change)])
  if (!only) throw new Error('not a call')
  return only
}

describe('callsOf', () => {
  it('joins the lines of a call and dates it by its start', () => {
    const calls = callsOf([
      entry({ call_id: 'a', at: at(16, 5), duration_ms: 300_000 }),
      entry({ kind: 'answer', call_id: '', at: at(16, 4) }),
      entry({ kind: 'intent', call_id: 'b', at: at(16, 3) }),
      entry({ kind: 'intent', call_id: 'a', at: at(16, 0) }),
    ])
    expect(calls.map(({ id, at: when, outcome }) => [id, when, outcome])).toEqual([
      ['b', at(16, 3), 'running'],
      ['a', at(16, 0), 'succeeded'],
    ])
  })

  it('works out the start when the first line is on another page', () => {
    expect(call({ at: at(16, 5), duration_ms: 60_000 }).at).toBe(at(16, 4))
  })

  it.each<[Partial<Entry>, string]>([
    [{ outcome: 'ok' }, 'succeeded'],
    [{ outcome: 'tool_error' }, 'failed'],
    [{ outcome: 'error', code: 'server_exited' }, 'failed'],
    [{ outcome: 'refused', code: 'denied' }, 'refused'],
    [{ outcome: 'canceled' }, 'cancelled'],
    [{ outcome: 'unknown', code: 'canceled' }, 'cancelled_sent'],
    [{ outcome: 'unknown', code: 'call_timeout' }, 'unknown'],
    [{ kind: 'intent' }, 'running'],
  ])('%j is %s', (change, want) => {
    expect(call(change).outcome).toBe(want)
  })
})

it('groups by the hour and counts the day', () => {
  const calls = callsOf([
    entry({ at: at(16, 4) }),
    entry({ at: at(16, 2), outcome: 'error', code: 'call_timeout' }),
    entry({ at: at(14) }),
  ])
  expect(byHour(calls).map(({ hour, rows }) => [hour, rows.length])).toEqual([
    [16, 2],
    [14, 1],
  ])
  const bars = dayBars(calls)
  expect([bars.length, bars[16], bars[14], bars[15]]).toEqual([
    24,
    { calls: 2, failures: 1 },
    { calls: 1, failures: 0 },
    { calls: 0, failures: 0 },
  ])
})

const effects = new Map<string, Effect>([
  ['github.create_issue', 'writes'],
  ['github.delete_branch', 'destroys'],
])

it('knows what a call does, as far as the server says', () => {
  expect(effectOf(call({ name: 'delete_branch' }), effects)).toBe('destroys')
  expect(effectOf(call({ name: 'gone' }), effects)).toBeUndefined()
  expect(effectOf(call({ call_kind: 'resource', name: 'a:b' }), effects)).toBe('reads')
})

describe('filters', () => {
  it.each([
    [{}, true],
    [{ client: 'Cursor,VS%20Code' }, true],
    [{ client: 'VS%20Code' }, false],
    [{ server: 'github', outcome: 'succeeded' }, true],
    [{ verdict: 'deny' }, false],
    [{ risk: 'writes' }, true],
    [{ risk: 'destroys' }, false],
    [{ hours: '16-17' }, true],
    [{ hours: '9-15' }, false],
    [{ q: 'CREATE cursor' }, true],
    [{ q: 'create sentry' }, false],
  ])('%j: %s', (search, want) => {
    expect(matches(call({}), readFilters(search), effects)).toBe(want)
  })

  it('names the filter that hides most', () => {
    const calls = [call({}), call({ at: at(15) }), call({ at: at(15), name: 'delete_branch' })]
    expect(relief(calls, readFilters({ risk: 'destroys', hours: '16-16' }), effects)).toEqual({
      drop: 'risk',
      calls: 1,
    })
    expect(relief(calls, readFilters({ client: 'nobody' }), effects)).toEqual({ drop: 'client', calls: 3 })
    expect(relief(calls, readFilters({ client: 'nobody', server: 'nowhere' }), effects)).toBeUndefined()
  })
})

it('names what was called', () => {
  expect(titleOf(entry({}), 'GitHub')).toBe('GitHub.create_issue')
  expect(titleOf(entry({ call_kind: 'resource', name: 'a:b' }), 'GitHub')).toBe('GitHub a:b')
})
