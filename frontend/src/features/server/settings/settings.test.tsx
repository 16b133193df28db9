import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { aReport, aServer, pretendCore, refusal, type Heard } from '@/testing/core'
import { capabilities, server } from '@/testing/notion'
import { openApp } from '@/testing/openApp'

let heard: Heard[]

async function open(answers: Record<string, unknown>) {
  heard = pretendCore({
    'GET /api/servers/notion': server,
    'GET /api/servers/notion/traffic': { frames: [], next: 0 },
    ...answers,
  })
  const user = openApp('/servers/notion?tab=settings')
  await screen.findByRole('heading', { level: 1, name: 'notion' })
  return user
}

it('tests a change, then saves it', async () => {
  const user = await open({
    'POST /api/tests': aReport({ id: 't1', running: true }),
    'GET /api/tests/t1': aReport({ id: 't1' }),
    'PUT /api/servers/notion': { ...server, timeout_ms: 45_000 },
  })
  const field = await screen.findByRole('spinbutton', { name: 'Start timeout' })
  await user.type(field, '45')
  await user.click(screen.getByRole('button', { name: 'Test and save' }))
  await waitFor(() => expect(heard.map(({ call }) => call)).toContain('PUT /api/servers/notion'))
  const saved = heard.find(({ call }) => call === 'PUT /api/servers/notion')
  expect(saved?.body).toMatchObject({ test_id: 't1', definition: { name: 'notion', timeout_ms: 45_000 } })
  expect(saved?.body).not.toHaveProperty('definition.state')
})

it('names the folders that a server may ask for', async () => {
  const kept = { ...server, roots: ['/srv/notes', '/srv/old'] }
  const user = await open({
    'GET /api/servers/notion': () => kept,
    'POST /api/servers/notion/roots': ({ add = [], remove = [] }: { add?: string[]; remove?: string[] }) => {
      kept.roots = [...kept.roots.filter((root) => !remove.includes(root)), ...add]
      return { ...kept }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Remove /srv/old' }))
  await waitFor(() => expect(screen.queryByText('/srv/old')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Full path of a folder' }))
  await user.type(screen.getByRole('textbox', { name: 'Full path of a folder' }), ' /srv/new {Enter}')
  expect(await screen.findByText('/srv/new')).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Full path of a folder' })).toHaveProperty('value', '')
  const changes = heard.filter(({ call }) => call === 'POST /api/servers/notion/roots').map(({ body }) => body)
  expect(changes).toEqual([{ remove: ['/srv/old'] }, { add: ['/srv/new'] }])
  expect(screen.queryByRole('button', { name: 'Test and save' })).toBeNull() // nothing is started again
})

it('leaves the focus on the next folder when one is removed', async () => {
  const kept = { ...server, roots: ['/srv/a', '/srv/b'] }
  const user = await open({
    'GET /api/servers/notion': () => kept,
    'POST /api/servers/notion/roots': () => ({ ...kept, roots: ['/srv/b'] }),
  })
  await user.click(await screen.findByRole('button', { name: 'Remove /srv/a' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove /srv/b' })))
})

it('says why a folder is refused, and keeps what was typed', async () => {
  const user = await open({
    'POST /api/servers/notion/roots': refusal('invalid_input', 422, { reason: 'root_in_data' }),
  })
  expect(await screen.findByText('No folder: the server learns of none.')).toBeTruthy()
  await user.type(screen.getByRole('textbox', { name: 'Full path of a folder' }), '/{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('data folder of Apollia')
  expect(screen.getByRole('textbox', { name: 'Full path of a folder' })).toHaveProperty('value', '/')
})

it('saves once, however often the passed test is heard of', async () => {
  const streams: Stream[] = []
  class Stream {
    onmessage?: (message: { data: string }) => void
    constructor() {
      streams.push(this)
    }
    close() {}
  }
  vi.stubGlobal('EventSource', Stream)
  let asked = 0
  const report = () => {
    asked++
    if (asked < 3) for (const stream of streams) stream.onmessage?.({ data: '{"topic":"tests","id":"t1"}' })
    return aReport({ id: 't1' })
  }
  const user = await open({
    'POST /api/tests': aReport({ id: 't1', running: true }),
    'GET /api/tests/t1': report,
    'PUT /api/servers/notion': { ...server, timeout_ms: 45_000 },
  })
  await user.type(await screen.findByRole('spinbutton', { name: 'Start timeout' }), '45')
  await user.click(screen.getByRole('button', { name: 'Test and save' }))
  expect(await screen.findByText('Settings tested and saved.')).toBeDefined()
  await waitFor(() => expect(asked).toBeGreaterThan(1))
  expect(heard.filter(({ call }) => call === 'PUT /api/servers/notion')).toHaveLength(1)
})

it('saves nothing when the test fails, and says why', async () => {
  const user = await open({
    'POST /api/tests': aReport({ id: 't1', running: true }),
    'GET /api/tests/t1': aReport({ id: 't1', ok: false, error: { code: 'connection_refused', message: 'refused' } }),
  })
  await user.click(await screen.findByRole('switch', { name: /Ask for my approval/ }))
  await user.click(screen.getByRole('button', { name: 'Test and save' }))
  expect(await screen.findByText('Not saved: the test failed')).toBeDefined()
  expect(heard.map(({ call }) => call)).not.toContain('PUT /api/servers/notion')
})

it('only shows a server of config.toml', async () => {
  const inFile = aServer({ source: 'config.toml', line: 31, capabilities })
  await open({ 'GET /api/servers/notion': inFile })
  expect(await screen.findByText(/config\.toml, line 31/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Remove this server' })).toBeNull()
  expect(screen.getByRole('spinbutton', { name: 'Start timeout' })).toHaveProperty('readOnly', true)
})
