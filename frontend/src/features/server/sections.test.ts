import { expect, it } from 'vitest'
import { sectionsOf, tabOf } from './sections'

const counts = { tools: 3, resources: 0, prompts: 2 }

it('shows what the server announced and says what it did not', () => {
  expect(sectionsOf({ ...counts, capabilities: { tools: {}, prompts: {} } })).toEqual([
    { name: 'tools', state: 'announced', count: 3 },
    { name: 'resources', state: 'missing', count: undefined },
    { name: 'prompts', state: 'announced', count: 2 },
  ])
})

it('hides nothing of a server that never said what it has', () => {
  expect(sectionsOf({ tools: 0, resources: 0, prompts: 0 }).map((section) => section.state)).toEqual([
    'unknown',
    'unknown',
    'unknown',
  ])
})

it.each([
  [undefined, { prompts: {} }, 'prompts'],
  [undefined, {}, 'logs'],
  ['tools', {}, 'tools'],
  ['nonsense', { tools: {} }, 'tools'],
  ['settings', {}, 'settings'],
])('opens %s of %j as %s', (wanted, capabilities, tab) => {
  expect(tabOf(wanted, sectionsOf({ ...counts, capabilities }))).toBe(tab)
})
