import { expect, it } from 'vitest'
import { noticed } from './noticed'

const start = { seen: undefined, fresh: 0 }
const nowhere = new Set<string>()

it('does not call new what waited before the window opened', () => {
  expect(noticed(start, ['a', 'b'], false, nowhere)).toEqual({ seen: ['a', 'b'], fresh: 0 })
})

it('counts what arrives elsewhere, and forgets it in the inbox', () => {
  const later = noticed({ seen: ['a'], fresh: 0 }, ['a', 'b', 'c'], false, nowhere)
  expect(later).toEqual({ seen: ['a'], fresh: 2 })
  expect(noticed(later, ['a', 'b', 'c'], true, nowhere)).toEqual({ seen: ['a', 'b', 'c'], fresh: 0 })
})

it('does not count what is shown in place, then or later, and counts the others', () => {
  const there = noticed({ seen: [], fresh: 0 }, ['mine', 'other'], false, new Set(['mine']))
  expect(there).toEqual({ seen: ['mine'], fresh: 1 })
  expect(noticed(there, ['mine', 'other'], false, nowhere)).toBe(there)
})

it('drops what was answered, and counts what came in its place', () => {
  expect(noticed({ seen: ['a'], fresh: 2 }, ['a', 'b'], false, nowhere)).toEqual({ seen: ['a'], fresh: 1 })
  expect(noticed({ seen: ['a'], fresh: 0 }, ['b'], false, nowhere)).toEqual({ seen: [], fresh: 1 })
})

it('gives the same object back when nothing changed, so that rendering ends', () => {
  const now = { seen: ['a'], fresh: 0 }
  expect(noticed(now, ['a'], false, nowhere)).toBe(now)
  expect(noticed(now, ['a'], true, nowhere)).toBe(now)
  expect(noticed(start, undefined, false, nowhere)).toBe(start)
})
