import { expect, it } from 'vitest'
import type { Activity, Entry } from '@/lib/api'
import { dayBounds, dayName, readBack, readOn } from './day'

const now = new Date(2025, 10, 26, 16, 4)

it.each([
  [undefined, new Date(2025, 10, 26), new Date(2025, 10, 27)],
  ['2025-10-26', new Date(2025, 9, 26), new Date(2025, 9, 27)],
  ['nonsense', new Date(2025, 10, 26), new Date(2025, 10, 27)],
])('a day named %s', (day, since, until) => {
  expect(dayBounds(day, now)).toEqual({ since, until })
})

it('names a day as a date field does', () => {
  expect(dayName(new Date(2025, 0, 5))).toBe('2025-01-05')
})

const entry = (seq: number): Entry => ({
  seq,
  at: '',
  kind: 'outcome',
  caller: { kind: 'cli', name: 'cli', user: 'local' },
  server: 's',
  name: 't',
})
const page = (before: number, ...seqs: number[]): Activity => ({
  entries: seqs.map(entry),
  totals: { calls: seqs.length, refused: 0, failed: 0 },
  before,
})

it('reads on and back without doubling a line', () => {
  const first = readOn(undefined, page(7, 9, 8, 7))
  const later = readOn(first, page(0, 11, 10, 9))
  expect(later.entries.map(({ seq }) => seq)).toEqual([11, 10, 9, 8, 7])
  expect(later.before).toBe(7)
  const older = readBack(later, page(0, 6, 5))
  expect([older.entries.map(({ seq }) => seq), older.before]).toEqual([[11, 10, 9, 8, 7, 6, 5], 0])
})
