import { expect, it } from 'vitest'
import { appended } from './stream'

const line = (seq: number) => ({ seq })
const none = { items: [], next: 0 }

it('reads on, without what it has already', () => {
  const one = appended(none, [line(1), line(2)], 2)
  expect(appended(one, [line(2), line(3)], 3)).toEqual({ items: [line(1), line(2), line(3)], next: 3 })
})

it('is the same object when nothing came', () => {
  const one = appended(none, [line(1)], 1)
  expect(appended(one, [], 1)).toBe(one)
})

it('starts again when the numbers do', () => {
  const one = appended(none, [line(1), line(2)], 2)
  expect(appended(one, [line(1)], 1)).toEqual({ items: [line(1)], next: 1 })
})

it('keeps the latest two thousand', () => {
  const many = Array.from({ length: 3000 }, (_, n) => line(n + 1))
  const { items } = appended(none, many, 3000)
  expect([items.length, items[0], items.at(-1)]).toEqual([2000, line(1001), line(3000)])
})
