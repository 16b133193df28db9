import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { Announcement, NetworkView } from '@/lib/api'
import { aServer, pretendCore, refusal, type Heard } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const team: Announcement = {
  server: 'team',
  instance: 'team',
  host: 'desk.local',
  addresses: ['10.0.0.5'],
  port: 8080,
  path: '/mcp',
  transport: 'streamable_http',
  auth: 'token',
  tls: false,
}

const setting = (key: string, value: string) => ({ key, value, default: '', from: 'store' })

let heard: Heard[]
let settings: ReturnType<typeof setting>[]
let view: NetworkView
beforeEach(() => {
  settings = [setting('ui.language', 'en'), setting('network.search', 'false'), setting('network.announce', '')]
  view = { off: true, servers: [], announced: [] }
})

async function open(answers: Record<string, unknown> = {}) {
  heard = pretendCore({
    'GET /api/settings': () => ({ settings }),
    'PATCH /api/settings': ({ key, value }: { key: string; value: string }) => {
      settings = settings.map((one) => (one.key === key ? { ...one, value } : one))
      return { settings }
    },
    'GET /api/network': () => view,
    'GET /api/servers': {
      servers: [aServer({ id: 'team', name: 'team' }), aServer({ id: 'local', name: 'local', transport: 'stdio' })],
    },
    'GET /api/servers/team/announcement': team,
    'PUT /api/network/announce': () => ({ settings }),
    ...answers,
  })
  const user = openApp('/preferences')
  await screen.findByRole('switch', { name: 'Look for servers' })
  return user
}

const bodies = (wanted: string) => heard.filter(({ call }) => call === wanted).map(({ body }) => body)

async function choose(user: Awaited<ReturnType<typeof open>>) {
  await user.click(await screen.findByRole('combobox', { name: 'Choose a server' }))
  await user.click(await screen.findByRole('option', { name: 'team' }))
}

it('searches only when a person says so, and tells what was found', async () => {
  view = { looked: new Date().toISOString(), servers: [], announced: [] }
  const user = await open()
  const search = screen.getByRole('switch', { name: 'Look for servers' })
  expect(search.getAttribute('aria-checked')).toBe('false')
  await user.click(search)
  expect(bodies('PATCH /api/settings')).toEqual([{ key: 'network.search', value: 'true' }])
  expect(await screen.findByText(/^0 found/)).toBeDefined()
})

it('shows what becomes visible, asks, and only then announces', async () => {
  const user = await open()
  await choose(user)
  expect(await screen.findByText('desk.local, 10.0.0.5')).toBeDefined()
  expect(bodies('PUT /api/network/announce')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Announce' }))
  const question = await screen.findByRole('dialog', { name: 'Announce team?' })
  expect(within(question).getByText('desk.local, 10.0.0.5')).toBeDefined()
  expect(bodies('PUT /api/network/announce')).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Announce' }))
  await waitFor(() => expect(bodies('PUT /api/network/announce')).toEqual([{ server: 'team', on: true }]))
})

it('says why a server cannot be announced, and offers no programs', async () => {
  const user = await open({
    'GET /api/servers/team/announcement': () => refusal('invalid_input', 400, { reason: 'announce_unreachable' }),
  })
  await user.click(await screen.findByRole('combobox', { name: 'Choose a server' }))
  expect(screen.queryByRole('option', { name: 'local' })).toBeNull()
  await user.click(await screen.findByRole('option', { name: 'team' }))
  expect(await screen.findByText(/answers on this computer only/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Announce' })).toBeNull()
})

it('says since when a server is visible or why it is not, and takes it back without asking', async () => {
  const problem = { code: 'invalid_input', message: 'no', args: { reason: 'announce_no_network' } }
  view.announced = [
    { ...team, since: '2026-11-20T14:02:00Z' },
    { ...team, server: 'gone', problem },
  ]
  const user = await open()
  expect(await screen.findByText(/^Visible since/)).toBeDefined()
  expect(screen.getByText('This computer has no network to announce a server on.')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'What is seen' }))
  expect(screen.getByText('desk.local, 10.0.0.5')).toBeDefined()
  await user.click(screen.getByRole('switch', { name: 'team is announced' }))
  await waitFor(() => expect(bodies('PUT /api/network/announce')).toEqual([{ server: 'team', on: false }]))
})

it('belongs to Connexions in the sidebar', async () => {
  await open()
  expect(screen.getByRole('link', { name: 'Connections' }).getAttribute('aria-current')).toBe('true')
})
