import { expect, it } from 'vitest'
import { noticed } from './noticed'

const start = { seen: undefined, fresh: 0 }

it('does not call new what waited before the window opened', () => {
  expect(noticed(start, 3, false)).toEqual({ seen: 3, fresh: 0 })
})

it('counts what arrives elsewhere, and forgets it in the inbox', () => {
  const later = noticed({ seen: 3, fresh: 0 }, 5, false)
  expect(later).toEqual({ seen: 3, fresh: 2 })
  expect(noticed(later, 5, true)).toEqual({ seen: 5, fresh: 0 })
})

it('follows the count down when a request was answered elsewhere', () => {
  expect(noticed({ seen: 3, fresh: 2 }, 2, false)).toEqual({ seen: 2, fresh: 0 })
})

it('gives the same object back when nothing changed, so that rendering ends', () => {
  const now = { seen: 3, fresh: 0 }
  expect(noticed(now, 3, false)).toBe(now)
  expect(noticed(start, undefined, false)).toBe(start)
})
