import { expect, it } from 'vitest'
import type { ToolView } from '@/lib/api'
import { groupTools } from './toolGroups'

const tool = (name: string, effect: ToolView['effect'], description = ''): ToolView => ({
  server: 's',
  name,
  effect,
  description,
  fqn: '',
  wire_name: '',
  risk: 'medium',
  verdict: 'ask',
  because: 'server_default',
})
const tools = [
  tool('drop', 'destroys'),
  tool('get', 'reads', 'Lit une clé'),
  tool('put', 'writes'),
  tool('list', 'reads'),
]

it('groups by effect, in the order of the server inside a group', () => {
  expect(groupTools(tools, '').map(({ effect, tools: some }) => [effect, ...some.map(({ name }) => name)])).toEqual([
    ['reads', 'get', 'list'],
    ['writes', 'put'],
    ['destroys', 'drop'],
  ])
})

it('finds by name and description, without accents, and drops empty groups', () => {
  expect(groupTools(tools, 'CLE').map(({ effect, tools: some }) => [effect, some.length])).toEqual([['reads', 1]])
  expect(groupTools(tools, 'nothing')).toEqual([])
})
