import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { CallRequest, Skill } from '@/lib/api'
import { aServer, pretendCore, type Heard } from '@/testing/core'
import { finished, result } from '@/testing/notion'
import { openApp } from '@/testing/openApp'

const skill: Skill = {
  server: 'notion',
  uri: 'skill://invoices/SKILL.md',
  name: 'invoices',
  description: 'Reads invoices',
  frontmatter: { name: 'invoices' },
  files: [
    { uri: 'skill://invoices/SKILL.md', digest: 'sha256:00', size: 2048 },
    { uri: 'skill://invoices/rates.csv', digest: 'sha256:11' },
  ],
}

const teaching = { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } }

async function open(capabilities: Record<string, unknown>, end: Parameters<typeof finished>[0]) {
  const server = aServer({ capabilities })
  const call = () => finished({ ...end, kind: 'resource' })
  const heard = pretendCore({
    'GET /api/servers': { servers: [server] },
    'GET /api/servers/notion': server,
    'GET /api/servers/notion/resources': { resources: [], templates: [] },
    'GET /api/servers/notion/skills': { skills: [skill] },
    'GET /api/servers/notion/traffic': { frames: [], next: 0 },
    'POST /api/calls': call,
    'GET /api/calls/c1': call,
  })
  const user = openApp('/servers/notion?tab=resources')
  await screen.findByRole('heading', { level: 1, name: 'notion' })
  return { user, heard }
}

const sent = (heard: Heard[]) =>
  heard.filter(({ call }) => call === 'POST /api/calls').map(({ body }) => body as CallRequest)

it('lists the skills of a server with their files, and reads one when it is asked to', async () => {
  const text = { uri: 'skill://invoices/rates.csv', text: 'FR;20' }
  const { user, heard } = await open(teaching, result({ contents: [text] }))
  const pane = await screen.findByRole('region', { name: 'invoices' })
  expect(within(pane).getByText('Reads invoices')).toBeDefined()
  expect(within(pane).getByText('2 files')).toBeDefined()
  expect(within(pane).getByText('2.0 kB')).toBeDefined()
  expect(within(pane).getByText('rates.csv')).toBeDefined()
  expect(sent(heard)).toEqual([])
  await user.click(within(pane).getByRole('button', { name: 'Read skill://invoices/rates.csv' }))
  expect(await screen.findByText('FR;20')).toBeDefined()
  expect(sent(heard)).toMatchObject([{ server: 'notion', kind: 'resource', name: 'skill://invoices/rates.csv' }])
})

it('says of a file that is not what was announced that it is refused, and shows nothing of it', async () => {
  const uri = 'skill://invoices/SKILL.md'
  const error = { code: 'content_unverified', message: 'another digest', args: { uri, problem: 'another digest' } }
  const { user } = await open(teaching, { error })
  await user.click(await screen.findByRole('button', { name: `Read ${uri}` }))
  const refusal = await screen.findByRole('alert')
  expect(refusal.textContent).toContain(`The file ${uri} is not the one that the server announced`)
  expect(screen.getByText('Failed')).toBeDefined()
  expect(screen.queryByRole('radio', { name: 'Raw' })).toBeNull()
})

it('has no skills where the server announces none', async () => {
  const { heard } = await open({ resources: {} }, {})
  expect(await screen.findByText('No resource')).toBeDefined()
  expect(heard.map(({ call }) => call)).not.toContain('GET /api/servers/notion/skills')
})
