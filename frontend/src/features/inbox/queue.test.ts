import { describe, expect, it } from 'vitest'
import type { InboxRequest } from '@/lib/api'
import { nextCard, queueOf, stepCard } from './queue'

const now = new Date(2025, 10, 26, 16, 4)
const at = (hour: number, minute = 0, day = 26) => new Date(2025, 10, day, hour, minute).toISOString()

function request(id: string, change: Partial<InboxRequest> = {}): InboxRequest {
  return {
    id,
    kind: 'tool',
    status: 'waiting',
    server: 'github',
    caller: { kind: 'client', name: 'Cursor', user: 'local' },
    tool: 'create_issue',
    call_kind: 'tool',
    arguments_digest: id,
    effect: 'writes',
    decision: { verdict: 'ask', because: 'server_default', risk: 'medium', steps: [] },
    created_at: at(16),
    ...change,
  }
}

const answered = (id: string, when: string, change: Partial<InboxRequest> = {}) =>
  request(id, {
    status: 'approved',
    answer: { approve: true, scope: 'once', by: { kind: 'window', name: 'window', user: 'local' }, at: when },
    ...change,
  })

const ids = (cards: { request: InboxRequest }[]) => cards.map((card) => card.request.id)

describe('queueOf', () => {
  it('puts the riskiest first, then the oldest, then the other kinds', () => {
    const { waiting } = queueOf(
      [
        request('definition', { kind: 'definition', created_at: at(10) }),
        request('reads', { effect: 'reads', created_at: at(9) }),
        request('new', { created_at: at(15, 50) }),
        request('old', { created_at: at(15, 30) }),
        request('sampling', { kind: 'sampling', created_at: at(11) }),
        request('destroys', { effect: 'destroys', created_at: at(16, 3) }),
      ],
      now,
    )
    expect(ids(waiting)).toEqual(['destroys', 'old', 'new', 'reads', 'sampling', 'definition'])
  })

  it('makes one card of identical requests and keeps different ones apart', () => {
    const same = { arguments_digest: 'd', definition_digest: 'x' }
    const { waiting } = queueOf(
      [
        request('b', { ...same, created_at: at(15, 2) }),
        request('a', { ...same, created_at: at(15, 1) }),
        request('other args', { arguments_digest: 'e' }),
        request('other caller', { ...same, caller: { kind: 'client', name: 'VS Code', user: 'local' } }),
        request('no digest', { arguments_digest: '' }),
        request('no digest either', { arguments_digest: '' }),
      ],
      now,
    )
    expect(waiting.map((card) => card.same.map((r) => r.id))).toEqual([
      ['a', 'b'],
      ['other args'],
      ['other caller'],
      ['no digest'],
      ['no digest either'],
    ])
  })

  it('lists today’s answers, the latest first, and joins runs', () => {
    const { today, last } = queueOf(
      [
        answered('early', at(9)),
        answered('yesterday', at(23, 0, 25)),
        answered('run 2', at(14, 30), { tool: 'write_file' }),
        answered('run 1', at(14, 31), { tool: 'write_file' }),
        answered('denied', at(12), { status: 'denied' }),
        request('expired', { status: 'expired', expires_at: at(13) }),
        request('no model', {
          kind: 'sampling',
          status: 'lapsed',
          created_at: at(12, 30),
          failure: { code: 'model_not_set', message: 'no model is set' },
        }),
        request('lapsed', { status: 'lapsed' }),
      ],
      now,
    )
    expect(today.map((card) => card.same.map((r) => r.id))).toEqual([
      ['run 1', 'run 2'],
      ['expired'],
      ['no model'],
      ['denied'],
      ['early'],
    ])
    expect(last?.request.id).toBe('run 1')
  })

  it('remembers the last answer of another day', () => {
    const queue = queueOf([answered('yesterday', at(23, 0, 25))], now)
    expect([queue.today.length, queue.last?.request.id]).toEqual([0, 'yesterday'])
  })
})

describe('moving', () => {
  const cards = queueOf(
    [request('a', { created_at: at(1) }), request('b', { created_at: at(2) }), request('c', { created_at: at(3) })],
    now,
  ).waiting

  it.each([
    ['a', 'b'],
    ['c', 'b'],
  ])('opens the next card after %s: %s', (from, want) => {
    expect(nextCard(cards, from)).toBe(want)
  })

  it('opens nothing after the last one', () => {
    expect(nextCard(cards.slice(0, 1), 'a')).toBeUndefined()
  })

  it.each<[string | undefined, -1 | 1, string]>([
    ['a', 1, 'b'],
    ['a', -1, 'a'],
    ['c', 1, 'c'],
    [undefined, 1, 'a'],
  ])('steps from %s by %i to %s', (from, by, want) => {
    expect(stepCard(cards, from, by)).toBe(want)
  })
})
