import { expect, it } from 'vitest'
import { masked } from './secret'

it('shows the last four of a secret that is long enough to stay one', () => {
  expect(masked('abcdefghijklmnopqre17a')).toBe('••••••••••••••••••e17a')
  expect(masked('short')).toBe('•••••')
  expect(masked('')).toBe('')
})

it('does not tell how long a long secret is', () => {
  expect(masked('x'.repeat(500))).toHaveLength(22)
})
