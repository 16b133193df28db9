import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { NetworkServer, NetworkView } from '@/lib/api'
import { pretendCore, type Heard } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const found: NetworkServer = {
  id: 'n1',
  instance: 'notes',
  name: 'Team notes',
  host: 'annexe.local',
  port: 8931,
  addresses: [{ addr: '10.0.0.7' }],
  transport: 'streamable_http',
  path: '/mcp',
  auth: 'oauth',
  since: '2026-11-26T15:00:00Z',
  seen: '2026-11-26T16:00:00Z',
}

const setting = (key: string, value: string) => ({ key, value, default: value, from: 'store' })

let heard: Heard[]
function open(view: Partial<NetworkView>, on = 'true', answers: Record<string, unknown> = {}) {
  heard = pretendCore({
    'GET /api/settings': { settings: [setting('ui.language', 'en'), setting('network.search', on)] },
    'GET /api/servers': { servers: [] },
    'GET /api/tools': { tools: [] },
    'GET /api/network': { servers: [], announced: [], ...view },
    'POST /api/network/look': {},
    ...answers,
  })
  return openApp('/')
}

const calls = () => heard.map(({ call }) => call)

it('shows what the network has, and contacts none of it', async () => {
  open({ looked: '2026-11-26T16:00:00Z', servers: [found] })
  expect(await screen.findByText('Team notes')).toBeDefined()
  expect(screen.getByText('HTTP, port 8931, OAuth · annexe.local')).toBeDefined()
  expect(calls().filter((call) => call.startsWith('POST'))).toEqual([])
})

it('says in place of its facts what an announcement has wrong', async () => {
  open({ servers: [{ ...found, faults: ['announcement_path'] }] })
  expect(await screen.findByText('It announces a path that leads elsewhere.')).toBeDefined()
})

it('says when it looked last, looks again when asked, and what is missing without a network', async () => {
  const user = open({ looked: new Date().toISOString() })
  await user.click(await screen.findByRole('button', { name: 'Look now' }))
  await waitFor(() => expect(calls()).toContain('POST /api/network/look'))
})

it('tells that there is no network', async () => {
  open({ no_network: true })
  expect(await screen.findByText(/^No network/)).toBeDefined()
})

it('is not there, and asks nothing, while the search is off', async () => {
  open({ servers: [found] }, 'false')
  await waitFor(() => expect(calls()).toContain('GET /api/servers'))
  await waitFor(() => expect(calls()).toContain('GET /api/settings'))
  expect(screen.queryByText('On your network')).toBeNull()
  expect(calls()).not.toContain('GET /api/network')
})

it('says all that it knows of one, and how little that is worth', async () => {
  const user = open({
    looked: found.seen,
    servers: [{ ...found, since: new Date(Date.now() - 5 * 60_000).toISOString() }],
  })
  await user.click(await screen.findByRole('button', { name: 'Team notes' }))
  const known = within(await screen.findByRole('dialog', { name: 'Team notes' }))
  expect(known.getByText('annexe.local:8931/mcp')).toBeDefined()
  expect(known.getByText('10.0.0.7')).toBeDefined()
  expect(known.getByText('Community')).toBeDefined()
  expect(known.getByText('HTTP, not encrypted')).toBeDefined()
  expect(known.getByText('5 min ago')).toBeDefined()
  expect(known.getByText(/nothing has been checked/)).toBeDefined()
})

it.each(['true', 'false'])('has the desktop tell of a new one where that is wanted: %s', async (wanted) => {
  const notify = vi.fn(() => Promise.resolve(true))
  let tell: (change: { topic: string }) => void = () => undefined
  vi.stubGlobal('go', { main: { App: { Notify: notify } } })
  vi.stubGlobal('runtime', { EventsOn: (_: string, hear: typeof tell) => ((tell = hear), () => undefined) })
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  const views = [{}, { servers: [found] }]
  open({}, 'true', {
    'GET /api/settings': {
      settings: [
        setting('ui.language', 'en'),
        setting('network.search', 'true'),
        setting('notifications.network', wanted),
      ],
    },
    'GET /api/network': () => ({ looked: '2026-11-26T14:00:00Z', servers: [], announced: [], ...views.shift() }),
  })
  await screen.findByText(/^Nothing yet/)
  tell({ topic: 'network' })
  await screen.findByText('Team notes')
  const told = [['network', 'Apollia Connexions', 'A new server is on your network.']]
  expect(notify.mock.calls).toEqual(wanted === 'true' ? told : [])
})
