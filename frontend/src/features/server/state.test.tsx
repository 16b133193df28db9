import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Call, Failure, Server } from '@/lib/api'
import { aServer, pretendCore } from '@/testing/core'
import { capabilities, finished, search } from '@/testing/notion'
import { openApp } from '@/testing/openApp'

async function open(address: string, server: Partial<Server>, answers: Record<string, unknown> = {}) {
  const shown = aServer({ capabilities, ...server })
  const heard = pretendCore({
    'GET /api/servers': { servers: [shown] },
    'GET /api/servers/notion': shown,
    'GET /api/servers/notion/tools': { tools: [search] },
    'GET /api/servers/notion/traffic': { frames: [], next: 0 },
    'GET /api/servers/notion/logs': { lines: [], next: 0 },
    ...answers,
  })
  const user = openApp(address)
  await screen.findByRole('heading', { level: 1, name: 'notion' })
  return { user, heard, shown }
}

const failure = (code: string, args: Record<string, string> = {}): Failure => ({ code, message: code, args })

/** What leads on from a state; the switch and the menu are in every state. */
const steps = [
  'Try a tool',
  'Cancel',
  'Sign in',
  'Review changes',
  'View log',
  'Diagnose',
  'Reconnect',
  'Switch the server on',
]
const offered = () =>
  screen
    .getAllByRole('button')
    .map((button) => button.textContent)
    .filter((text) => steps.includes(text))

describe('each state has its reason and one way on', () => {
  it.each<[string, Partial<Server>, string, string]>([
    ['starting', { state: 'starting' }, 'Calls are possible as soon as it is ready.', 'Cancel'],
    ['installing', { state: 'installing', last_line: 'fetched 12 MB' }, 'fetched 12 MB', 'Cancel'],
    ['installing', { state: 'installing' }, 'The program is downloaded before its first start.', 'Cancel'],
    ['needs_sign_in', { state: 'needs_sign_in', reason: failure('sign_in_needed') }, 'sign', 'Sign in'],
    ['needs_approval', { state: 'needs_approval', reason: failure('approval_needed') }, 'approv', 'Review changes'],
    [
      'degraded',
      { state: 'degraded', reason: failure('protocol_error', { reason: 'malformed', count: '3' }) },
      '3 entries',
      'View log',
    ],
    [
      'degraded for want of rights',
      { state: 'degraded', reason: failure('more_rights_needed', { scopes: 'admin' }) },
      'The server wants more rights: admin. Sign in again to give them.',
      'Sign in',
    ],
    ['stopped', { state: 'stopped', reason: failure('program_not_found', { program: 'npx' }) }, 'program', 'Diagnose'],
    ['off', { state: 'off', enabled: false }, 'Nothing can be called', 'Switch the server on'],
    [
      'disconnected',
      { state: 'off', reason: failure('server_off', { server: 'notion' }) },
      'Its session was ended',
      'Reconnect',
    ],
  ])('%s, on the tab of the tools', async (_, server, reason, step) => {
    await open('/servers/notion?tab=tools', { tools: 0, ...server }, { 'GET /api/servers/notion/tools': { tools: [] } })
    expect(await screen.findByRole('button', { name: step })).toBeDefined()
    expect(offered()).toEqual([step])
    expect(screen.getAllByText((_text, element) => element?.textContent.includes(reason) ?? false)).not.toHaveLength(0)
  })

  it('says why a server is stopped on the tabs that say nothing of it', async () => {
    const reason = failure('connection_refused', { host: '10.2.0.14:5432' })
    await open('/servers/notion?tab=logs', { state: 'stopped', reason })
    const note = await screen.findByRole('note')
    expect(note.textContent).toContain('10.2.0.14:5432')
    expect(within(note).getByRole('button', { name: 'Diagnose' })).toBeDefined()
  })

  it('does not offer the log where it is open', async () => {
    await open('/servers/notion?tab=logs', { state: 'degraded', reason: failure('call_timeout') })
    expect(within(await screen.findByRole('note')).queryByRole('button')).toBeNull()
  })

  it('connects again what was disconnected', async () => {
    const { user, heard } = await open('/servers/notion', { state: 'off', tools: 0 })
    await screen.findByRole('navigation', { name: 'Tools of the server' })
    await user.click(screen.getByRole('button', { name: 'Reconnect' }))
    await waitFor(() => expect(heard.map(({ call }) => call)).toContain('POST /api/servers/notion/connect'))
  })

  it('shows the last line of an installation as it comes', async () => {
    const lines = ['fetched 1 MB', 'fetched 12 MB']
    const shown = aServer({ capabilities, state: 'installing', tools: 0 })
    await open('/servers/notion?tab=logs', shown, {
      'GET /api/servers/notion': () => ({ ...shown, last_line: lines.length > 1 ? lines.shift() : lines[0] }),
    })
    expect(await screen.findByText('“fetched 12 MB”')).toBeDefined()
  })
})

it('says in words what the server sends that could not be used', async () => {
  await open('/servers/notion?tab=logs', {
    warnings: [
      failure('protocol_error', { section: 'tools', reason: 'stuck_cursor' }),
      failure('protocol_error', { section: 'tools', reason: 'param_headers', name: 'pay' }),
      failure('not_announced', { section: 'prompts', reason: 'not_there' }),
    ],
    stray_lines: 2,
  })
  const remarks = (await screen.findByText('4 remarks on what this server sends')).closest('details')
  expect([...(remarks?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)).toEqual([
    'The server repeats a page of its list, which was cut short.',
    'The tool “pay” asks for headers that cannot be; it was left out.',
    'The server announces “prompts”, but cannot list it.',
    '2 lines of its output are not JSON-RPC; they are in the log.',
  ])
})

it('says nothing of a server that does everything right', async () => {
  await open('/servers/notion?tab=logs', {})
  expect(screen.queryByRole('note')).toBeNull()
  expect(screen.queryByText(/remark/)).toBeNull()
})

it('shows the revision, and the transport in use where it is another one', async () => {
  await open('/servers/notion?tab=logs', { protocol_version: '2024-11-05', transport_in_use: 'sse' })
  expect(screen.getByText('HTTP → SSE')).toBeDefined()
  expect(screen.getByText('2024-11-05')).toBeDefined()
})

it('says that the server waits for an answer while a call runs', async () => {
  const notices: Call['notices'] = [{ kind: 'running' }, { kind: 'asked' }]
  let call = finished({ status: 'running', notices })
  const { user } = await open(
    '/servers/notion?tool=search',
    {},
    { 'POST /api/calls': () => call, 'GET /api/calls/c1': () => call },
  )
  await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'x')
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('The server waits for an answer')).toBeDefined()
  call = finished({ status: 'running', notices: [...notices, { kind: 'answered' }] })
  await waitFor(() => expect(screen.queryByText('The server waits for an answer')).toBeNull())
  expect(screen.getByText('Running')).toBeDefined()
})

it('says as which task a call goes on at the server', async () => {
  const params = { taskId: 'task-7', status: 'working', statusMessage: 'Reading sources' }
  const call = finished({ status: 'running', notices: [{ kind: 'running' }, { kind: 'task', params }] })
  const { user } = await open('/servers/notion?tool=search', {}, { 'POST /api/calls': call, 'GET /api/calls/c1': call })
  await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'x')
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect((await screen.findByText('task-7')).closest('p')?.textContent).toBe(
    'Task of the server task-7 · Reading sources',
  )
})
