import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { SeenTool, ToolHit } from '@/lib/api'
import { aServer, pretendCore, type Heard } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const post: SeenTool = {
  fqn: 'mcp_slack.post_message',
  wire_name: 'mcp_slack__post_message',
  server: 'slack',
  tool: 'post_message',
  description: 'Post a message to Slack',
  effect: 'writes',
  asks: true,
}
const hit: ToolHit = {
  ...post,
  score: 0.8,
  reasons: [{ asked: 'envoyer', met: 'post', field: 'name', way: 'concept' }],
}

let heard: Heard[]
function open(address = '/tools', answers: Record<string, unknown> = {}) {
  heard = pretendCore({
    'GET /api/servers': { servers: [aServer({ id: 'slack', name: 'Slack' })] },
    'GET /api/policy': { rules: [{ id: '1', verdict: 'deny', server: 'slack', client: 'vscode' }] },
    'GET /api/toolbox': { mode: 'direct', tools: 2, bytes: 4000, categories: [{ name: 'mcp_slack', tools: 2 }] },
    'GET /api/toolbox/search': { results: [hit] },
    'GET /api/toolbox/categories/mcp_slack': { tools: [post] },
    ...answers,
  })
  return openApp(address)
}

it('finds tools as an agent does, and says why', async () => {
  const user = open()
  expect(await screen.findByText('2 tools · few enough to be listed at once, about 1,000 tokens')).toBeDefined()
  await user.type(screen.getByRole('textbox', { name: 'What do you want to do?' }), 'envoyer un message')
  const found = within(await screen.findByRole('region', { name: 'Tools found' }))
  expect(found.getByRole('link', { name: 'mcp_slack.post_message' })).toBeDefined()
  expect(found.getByText('envoyer → post · name, same meaning')).toBeDefined()
  expect(found.getByText('0.80')).toBeDefined()
  expect(found.getByText('A person is asked before it runs.')).toBeDefined()
})

it('lists a category, and takes an example as a question', async () => {
  const user = open()
  await user.click(await screen.findByRole('button', { name: /^Slack/ }))
  expect(await screen.findByText('Post a message to Slack')).toBeDefined()
  expect(screen.queryByText('0.80')).toBeNull()
  await user.click(screen.getByRole('button', { name: /^Slack/ }))
  await user.click(await screen.findByRole('button', { name: 'send a message to the team' }))
  expect(await screen.findByText('0.80')).toBeDefined()
})

it('says what to do when nothing fits, and when there is nothing', async () => {
  const user = open('/tools', { 'GET /api/toolbox/search': { results: [] } })
  await user.type(await screen.findByRole('textbox', { name: 'What do you want to do?' }), 'zzz')
  expect(await screen.findByText('No tool fits “zzz”')).toBeDefined()
})

it('has nothing to search without a tool', async () => {
  open('/tools', { 'GET /api/toolbox': { mode: 'direct', tools: 0, bytes: 0, categories: [] } })
  expect(await screen.findByText('An agent sees no tool')).toBeDefined()
})

it('shows what another caller sees: the clients that rules name', async () => {
  const user = open()
  await user.click(await screen.findByRole('combobox', { name: 'Seen by' }))
  await user.click(await screen.findByRole('option', { name: 'vscode' }))
  await waitFor(() => expect(window.location.hash).toContain('as=vscode'))
  expect(heard.filter(({ call }) => call === 'GET /api/toolbox').length).toBeGreaterThan(1)
})
