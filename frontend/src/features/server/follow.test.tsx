import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aServer, pretendCore, refusal, type Heard } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const server = aServer({
  capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
  resources: 2,
  prompts: 1,
})
const resource = { server: 'notion', uri: 'notion://page', name: 'page' }
const template = { server: 'notion', uri_template: 'notion://{space}/{page}', name: 'any page' }
const prompt = {
  server: 'notion',
  name: 'sum',
  arguments: [
    { name: 'month', required: true },
    { name: 'team', required: false },
  ],
}

function open(
  tab: string,
  answers: Record<string, unknown> = {},
): { heard: Heard[]; user: ReturnType<typeof openApp> } {
  const heard = pretendCore({
    'GET /api/servers': { servers: [server] },
    'GET /api/servers/notion': server,
    'GET /api/servers/notion/resources': { resources: [resource], templates: [template] },
    'GET /api/servers/notion/prompts': { prompts: [prompt] },
    'GET /api/servers/notion/logs': { lines: [], next: 0 },
    'GET /api/servers/notion/traffic': { frames: [], next: 0 },
    'GET /api/servers/notion/subscriptions': { subscriptions: [] },
    ...answers,
  })
  return { heard, user: openApp(`/servers/notion?tab=${tab}`) }
}
const sent = (heard: readonly Heard[], call: string) => heard.filter((one) => one.call === call).map(({ body }) => body)

it('follows a resource, says when it changed, and stops', async () => {
  const changed = { subscriptions: [{ uri: 'notion://page', changed_at: '2026-11-30T10:05:00Z' }] }
  const { heard, user } = open('resources', {
    'PUT /api/servers/notion/subscriptions': changed,
    'DELETE /api/servers/notion/subscriptions': { subscriptions: [] },
  })
  const follow = await screen.findByRole('switch', { name: 'Tell me when it changes' })
  await user.click(follow)
  expect(await screen.findByText(/^Changed at /)).toBeDefined()
  expect(sent(heard, 'PUT /api/servers/notion/subscriptions')).toEqual([{ uri: 'notion://page' }])
  await user.click(follow)
  expect(await screen.findByText(/The server will say so/)).toBeDefined()
  expect(sent(heard, 'DELETE /api/servers/notion/subscriptions')).toHaveLength(1)
})

it('says why a resource cannot be followed', async () => {
  const { user } = open('resources', { 'PUT /api/servers/notion/subscriptions': refusal('not_announced', 400) })
  await user.click(await screen.findByRole('switch', { name: 'Tell me when it changes' }))
  expect(await screen.findByText(/The server does not announce this section/)).toBeDefined()
})

it('proposes what the server proposes, with what is filled in already', async () => {
  const { heard, user } = open('prompts', {
    'POST /api/servers/notion/complete': { values: ['2026-10', '2026-11'], more: false },
  })
  await user.type(await screen.findByRole('combobox', { name: 'team' }), 'sales')
  await user.type(screen.getByRole('combobox', { name: 'month' }), '2026')
  await user.click(await screen.findByRole('option', { name: '2026-11' }))
  expect(screen.getByRole('combobox', { name: 'month' })).toHaveProperty('value', '2026-11')
  await waitFor(() =>
    expect(sent(heard, 'POST /api/servers/notion/complete')).toContainEqual(
      expect.objectContaining({ prompt: 'sum', argument: 'month', given: { team: 'sales' } }),
    ),
  )
})

it('sets from which level on the server sends messages', async () => {
  const { heard, user } = open('logs', { 'PUT /api/servers/notion/log-level': {} })
  await user.click(await screen.findByRole('combobox', { name: 'Messages of the server' }))
  await user.click(await screen.findByRole('option', { name: 'From warning on' }))
  await waitFor(() => expect(sent(heard, 'PUT /api/servers/notion/log-level')).toEqual([{ level: 'warning' }]))
})
