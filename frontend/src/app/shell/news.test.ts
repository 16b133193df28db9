import { expect, it } from 'vitest'
import type { NetworkServer, NetworkView, Server } from '@/lib/api'
import { newcomers, newsOf, type Met } from './news'

const server = (id: string, state: Server['state']) => ({ id, name: id, state }) as Server
const nothing = { requests: 0, fallen: [] }

it('has no news when the program starts, whatever stands so already', () => {
  const now = { waiting: 4, servers: [server('notes', 'stopped')] }
  expect(newsOf({ waiting: undefined, servers: undefined }, now)).toEqual(nothing)
})

it('tells of requests that came, not of those that were answered', () => {
  expect(newsOf({ waiting: 1, servers: [] }, { waiting: 3, servers: [] })).toEqual({ requests: 2, fallen: [] })
  expect(newsOf({ waiting: 3, servers: [] }, { waiting: 1, servers: [] })).toEqual(nothing)
})

it('tells once of a server that stops or needs a sign-in', () => {
  const up = [server('notes', 'ready'), server('mail', 'ready'), server('files', 'starting')]
  const now = [server('notes', 'stopped'), server('mail', 'needs_sign_in'), server('files', 'ready')]
  expect(newsOf({ waiting: 0, servers: up }, { waiting: 0, servers: now }).fallen.map(({ id }) => id)).toEqual([
    'notes',
    'mail',
  ])
  expect(newsOf({ waiting: 0, servers: now }, { waiting: 0, servers: now })).toEqual(nothing)
})

it('tells of a server that works and lacks rights, and not of one that is degraded otherwise', () => {
  const then = [server('notes', 'ready'), server('mail', 'ready')]
  const now = [
    { ...server('notes', 'degraded'), reason: { code: 'more_rights_needed', message: '' } },
    { ...server('mail', 'degraded'), reason: { code: 'protocol_error', message: '' } },
  ]
  const { fallen } = newsOf({ waiting: 0, servers: then }, { waiting: 0, servers: now })
  expect(fallen.map(({ id }) => id)).toEqual(['notes'])
})

it('does not tell of servers that are new or that a person switched off', () => {
  const then = { waiting: 0, servers: [server('notes', 'ready')] }
  const now = { waiting: 0, servers: [server('notes', 'off'), server('fresh', 'stopped')] }
  expect(newsOf(then, now)).toEqual(nothing)
})

const looked = '2026-12-01T10:00:00Z'
const found = (id: string, since: string) => ({ id, since }) as NetworkServer
const view = (...servers: NetworkServer[]): NetworkView => ({ looked, servers, announced: [] })

/** How many are told of with each view, one after the other. */
function told(...views: NetworkView[]): number[] {
  let met: Met | undefined
  return views.map((one) => {
    const news = newcomers(met, one)
    met = news.met
    return news.count
  })
}

it('tells of servers that come to the network, not of those that were there when the search began', () => {
  const there = found('a', '2026-12-01T10:00:02Z')
  const late = found('b', '2026-12-01T10:05:00Z')
  expect(told(view(), view(there), view(there, late), view(there, late))).toEqual([0, 0, 1, 0])
})

it('tells once of a server that comes and goes', () => {
  const again = (minute: number) => found('a', `2026-12-01T10:0${String(minute)}:00Z`)
  expect(told(view(), view(again(1)), view(), view(again(2)))).toEqual([0, 1, 0, 0])
})

it('tells of nothing while the search is off, and begins anew with it', () => {
  const later = { ...view(found('a', '2026-12-01T10:05:00Z')), looked: '2026-12-01T10:06:00Z' }
  expect(told(view(), { off: true, servers: [], announced: [] }, later)).toEqual([0, 0, 0])
})
