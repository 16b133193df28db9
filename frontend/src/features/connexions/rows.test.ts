import { describe, expect, it } from 'vitest'
import type { Server } from '@/lib/api'
import { asSnippet, copyName, countByPlace, filterServers, groupServers, reachOf } from './rows'

const server = (change: Partial<Server> = {}): Server => ({
  id: 'notion',
  name: 'notion',
  transport: 'streamable_http',
  url: 'https://mcp.notion.com/mcp',
  trust: 'custom',
  enabled: true,
  source: 'store',
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  state: 'ready',
  since: '2026-11-20T10:00:00Z',
  references: 1,
  tools: 3,
  resources: 0,
  prompts: 0,
  prefix: 'mcp_notion__',
  running_calls: 0,
  ...change,
})
const local = (name: string, change: Partial<Server> = {}) =>
  server({
    id: name,
    name,
    transport: 'stdio',
    url: '',
    command: '/usr/bin/npx',
    args: ['-y', `@acme/${name}`],
    ...change,
  })
const names = (servers: readonly Server[]) => servers.map(({ name }) => name)

describe('groupServers', () => {
  const all = [
    local('b-ready'),
    local('stopped', { state: 'stopped' }),
    server({ name: 'sign', state: 'needs_sign_in' }),
    local('asleep', { state: 'off', enabled: false }),
    server({ name: 'remote-ready' }),
  ]

  it('puts what waits for a person first, the most urgent on top', () => {
    const [first] = groupServers(all, 'location')
    expect(first?.key).toBe('attention')
    expect(names(first?.servers ?? [])).toEqual(['sign', 'stopped'])
  })

  it('groups the rest by place, by state or not at all', () => {
    const keys = (by: 'location' | 'state' | 'none') => groupServers(all, by).map(({ key }) => key)
    expect(keys('location')).toEqual(['attention', 'remote', 'local'])
    expect(keys('state')).toEqual(['attention', 'ready', 'off'])
    expect(keys('none')).toEqual(['attention', 'others'])
  })

  it('does not bother a person with a server that is off', () => {
    expect(groupServers([local('x', { state: 'stopped', enabled: false })], 'none').map(({ key }) => key)).toEqual([
      'others',
    ])
  })
})

describe('filterServers', () => {
  const all = [server(), local('météo')]
  const tools = new Map([['notion', ['search_pages']]])
  const find = (query: string, where: 'all' | 'remote' | 'local' = 'all') =>
    names(filterServers(all, { query, where }, tools))

  it.each([
    ['a name without its accents', 'METEO', ['météo']],
    ['a tool', 'search_p', ['notion']],
    ['an address', 'notion.com', ['notion']],
    ['nothing typed', '  ', ['notion', 'météo']],
    ['no match', 'zzz', []],
  ])('finds by %s', (_what, query, want) => {
    expect(find(query)).toEqual(want)
  })

  it('keeps one place', () => {
    expect(find('', 'local')).toEqual(['météo'])
    expect(find('', 'remote')).toEqual(['notion'])
    expect(countByPlace(all)).toEqual({ all: 2, remote: 1, local: 1 })
  })
})

it('says how a server is reached', () => {
  expect(reachOf(server())).toBe('mcp.notion.com')
  expect(reachOf(local('pg'))).toBe('npx -y @acme/pg')
  expect(reachOf(server({ url: '${BASE}/mcp' }))).toBe('${BASE}/mcp')
})

it('finds a free name for a copy', () => {
  expect(copyName('pg', [{ name: 'pg' }])).toBe('pg-2')
  expect(copyName('pg-2', [{ name: 'pg' }, { name: 'PG-2' }])).toBe('pg-3')
})

it('writes a snippet that other programs read', () => {
  expect(JSON.parse(asSnippet(local('pg', { env: [{ name: 'A', value: '${secret:pg/A}' }] })))).toEqual({
    mcpServers: { pg: { command: '/usr/bin/npx', args: ['-y', '@acme/pg'], env: { A: '${secret:pg/A}' } } },
  })
  expect(JSON.parse(asSnippet(server()))).toEqual({
    mcpServers: { notion: { type: 'http', url: 'https://mcp.notion.com/mcp' } },
  })
})
