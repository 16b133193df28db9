import { expect, it } from 'vitest'
import type { LogLine } from '@/lib/api'
import { asText, filterLines } from './lines'

const at = new Date(2025, 10, 26, 16, 4, 12).toISOString()
const lines: LogLine[] = [
  { seq: 1, at, stream: 'stderr', text: 'Démarré' },
  { seq: 2, at, stream: 'lifecycle', text: 'ready' },
]

it.each([
  ['all', '', [1, 2]],
  ['stderr', '', [1]],
  ['all', 'DEMARRE', [1]],
  ['lifecycle', 'demarre', []],
] as const)('shows %s with %j: %j', (stream, text, want) => {
  expect(filterLines(lines, stream, text).map(({ seq }) => seq)).toEqual(want)
})

it('copies time, stream and words', () => {
  expect(asText(lines, 'fr')).toBe('16:04:12 stderr Démarré\n16:04:12 lifecycle ready')
})
