import { expect, it } from 'vitest'
import type { ToolView } from '@/lib/api'
import { groupTools } from './toolGroups'

const tool = (name: string, effect: ToolView['effect']): ToolView => ({
  server: 's',
  name,
  effect,
  fqn: '',
  wire_name: '',
  risk: 'medium',
  verdict: 'ask',
  because: 'server_default',
})
const tools = [tool('drop', 'destroys'), tool('get', 'reads'), tool('put', 'writes'), tool('list', 'reads')]

it('groups by effect, in the order of the server inside a group', () => {
  expect(groupTools(tools).map(({ effect, tools: some }) => [effect, ...some.map(({ name }) => name)])).toEqual([
    ['reads', 'get', 'list'],
    ['writes', 'put'],
    ['destroys', 'drop'],
  ])
})

it('leaves out what no tool does', () => {
  expect(groupTools(tools.slice(1, 2)).map(({ effect }) => effect)).toEqual(['reads'])
})
