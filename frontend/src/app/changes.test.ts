import { QueryClient } from '@tanstack/react-query'
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

const client = new QueryClient()
const invalidate = vi.spyOn(client, 'invalidateQueries').mockResolvedValue()
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Stream)
  invalidate.mockClear()
  stop = followChanges(client)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('refetches one item of a stream, and whole collections otherwise', () => {
  expect(staleKeys({ topic: 'tests', id: 't1' })).toEqual([['tests', 't1']])
  expect(staleKeys({ topic: 'tests' })).toEqual([['tests']])
  expect(staleKeys({ topic: 'servers', id: 'pg' })).toContainEqual(['servers'])
})

it('refetches what a change names', () => {
  Stream.last.onmessage?.({ data: JSON.stringify({ topic: 'logs', id: 'pg' }) })
  expect(invalidate).toHaveBeenCalledExactlyOnceWith({ queryKey: ['logs', 'pg'] })
})

it('refetches everything on arrival, since changes may have been missed before', () => {
  Stream.last.onopen?.()
  expect(invalidate).toHaveBeenCalledExactlyOnceWith()
})

it('asks now and then while changes cannot be heard, and stops once they can', () => {
  Stream.last.onerror?.()
  Stream.last.onerror?.()
  expect(invalidate).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(10_000)
  expect(invalidate).toHaveBeenCalledTimes(3)
  Stream.last.onopen?.()
  invalidate.mockClear()
  vi.advanceTimersByTime(60_000)
  expect(invalidate).not.toHaveBeenCalled()
})

it('lets go of the stream at the end', () => {
  stop()
  expect(Stream.last.closed).toBe(true)
})
