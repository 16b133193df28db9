import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followChanges, staleKeys } from './changes'

/** An EventSource whose stream the test holds. */
class Stream {
  static last: Stream
  onmessage?: (message: { data: string }) => void
  onopen?: () => void
  onerror?: () => void
  closed = false
  constructor() {
    Stream.last = this
  }
  close() {
    this.closed = true
  }
}

/** A query on screen whose fetches the test counts and answers. */
function shown(client: QueryClient, queryKey: string[]) {
  const answers: ((value: string) => void)[] = []
  const queryFn = vi.fn(() => new Promise<string>((answer) => answers.push(answer)))
  const leave = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined)
  const answer = async (value: string) => {
    answers.shift()?.(value)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { answer, leave, fetches: () => queryFn.mock.calls.length, data: () => client.getQueryData(queryKey) }
}

const say = (topic: string, id?: string) => Stream.last.onmessage?.({ data: JSON.stringify({ topic, id }) })

let client: QueryClient
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Stream)
  client = new QueryClient()
  stop = followChanges(client)
})
afterEach(() => {
  stop()
  client.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('refetches one item of a stream, and whole collections otherwise', () => {
  expect(staleKeys({ topic: 'tests', id: 't1' })).toEqual([['tests', 't1']])
  expect(staleKeys({ topic: 'tests' })).toEqual([['tests']])
  expect(staleKeys({ topic: 'servers', id: 'pg' })).toContainEqual(['servers'])
})

it('refetches what a change names and nothing else', async () => {
  const [named, other] = [shown(client, ['logs', 'pg']), shown(client, ['logs', 'files'])]
  await named.answer('old')
  await other.answer('old')
  say('logs', 'pg')
  await named.answer('new')
  expect([named.fetches(), named.data()]).toEqual([2, 'new'])
  expect(other.fetches()).toBe(1)
})

it('fetches once more what changed while it was fetched for the first time, without interrupting it', async () => {
  const settings = shown(client, ['settings'])
  say('settings')
  say('settings')
  expect(settings.fetches()).toBe(1)
  await settings.answer('before the change')
  expect([settings.fetches(), settings.data()]).toEqual([2, 'before the change'])
  await settings.answer('after it')
  expect([settings.fetches(), settings.data()]).toEqual([2, 'after it'])
})

it('lets a fetch arrive however many changes are heard meanwhile', async () => {
  const settings = shown(client, ['settings'])
  await settings.answer('1')
  say('settings')
  for (let n = 0; n < 100; n++) say('settings')
  await settings.answer('2')
  expect([settings.fetches(), settings.data()]).toEqual([3, '2'])
})

it('forgets a query that was left while it was fetched', async () => {
  const settings = shown(client, ['settings'])
  say('settings')
  settings.leave()
  client.removeQueries({ queryKey: ['settings'] })
  await settings.answer('late')
  expect(settings.fetches()).toBe(1)
})

it('refetches everything on arrival, since changes may have been missed before', async () => {
  const [servers, inbox] = [shown(client, ['servers']), shown(client, ['inbox'])]
  await servers.answer('old')
  Stream.last.onopen?.()
  await inbox.answer('old')
  expect([servers.fetches(), inbox.fetches()]).toEqual([2, 2])
})

it('asks now and then while changes cannot be heard, and stops once they can', async () => {
  const servers = shown(client, ['servers'])
  await servers.answer('0')
  const next = async () => {
    await servers.answer('next')
    await vi.advanceTimersByTimeAsync(5000)
  }
  Stream.last.onerror?.()
  Stream.last.onerror?.()
  await servers.answer('once, and once more for the second')
  await servers.answer('settled')
  const before = servers.fetches()
  await next()
  await next()
  expect(servers.fetches()).toBe(before + 2)
  Stream.last.onopen?.()
  await servers.answer('a')
  await servers.answer('b')
  const heard = servers.fetches()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(servers.fetches()).toBe(heard)
})

it('lets go of the stream at the end', () => {
  stop()
  expect(Stream.last.closed).toBe(true)
})
