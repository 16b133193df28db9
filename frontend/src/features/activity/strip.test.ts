import { expect, it } from 'vitest'
import { barHeights, extended, hourLabels } from './strip'

it('scales to the busiest hour and hides nothing that happened', () => {
  const bars = [
    { calls: 0, failures: 0 },
    { calls: 1, failures: 0 },
    { calls: 100, failures: 1 },
    { calls: 2, failures: 2 },
  ]
  expect(barHeights(bars)).toEqual([
    { calls: 0, failures: 0 },
    { calls: 3, failures: 0 },
    { calls: 31, failures: 3 },
    { calls: 0, failures: 3 },
  ])
})

it.each([
  [undefined, 5, 6, [5, 6]],
  [undefined, 5, 4, [4, 5]],
  [[5, 6], 6, 7, [5, 7]],
  [[5, 7], 7, 6, [5, 6]],
  [[5, 7], 5, 4, [4, 7]],
  [[5, 7], 5, 6, [6, 7]],
  [[5, 5], 5, 4, [4, 5]],
] as const)('extends %j from %i to %i: %j', (hours, from, to, want) => {
  expect(extended(hours, from, to)).toEqual(want)
})

it.each([
  [undefined, '0 6 12 18'],
  [16, '0 6 12 16!'],
  [1, '1! 6 12 18'],
  [9, '0 6 9! 12 18'],
])('writes the hours around %s', (now, want) => {
  expect(
    hourLabels(now)
      .map(({ hour, isNow }) => `${hour}${isNow ? '!' : ''}`)
      .join(' '),
  ).toBe(want)
})
