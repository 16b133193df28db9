import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ToolView } from '@/lib/api'
import { pretendCore } from '@/testing/core'
import { drop, search, server } from '@/testing/notion'
import { openApp } from '@/testing/openApp'

const request = {
  id: 'd1',
  kind: 'definition',
  status: 'waiting',
  server: 'notion',
  caller: { kind: 'server', name: 'notion', user: 'local' },
  tool: 'search',
  params: { before: {}, after: {} },
  decision: { verdict: 'deny', because: 'held_definition', risk: 'medium', steps: [] },
  created_at: '2026-11-26T16:00:00Z',
}

function open(change: Partial<ToolView>) {
  const held = { ...server, held_tools: 1 }
  const tool: ToolView = { ...search, verdict: 'deny', because: 'held_definition', held: true, ...change }
  const heard = pretendCore({
    'GET /api/servers': { servers: [held] },
    'GET /api/servers/notion': held,
    'GET /api/servers/notion/tools': { tools: [tool, drop] },
    'GET /api/inbox': { requests: [request], waiting: 1 },
    'GET /api/inbox/d1/definition': { new: false, findings: [], changes: [], ended: [] },
    'POST /api/servers/notion/tools/review': request,
  })
  return { person: openApp('/servers/notion?tool=search'), heard }
}

const title = { level: 2, name: 'search is no longer the tool that you accepted' }

it('marks a tool that changed, apart from one that a rule denies, and leads to what changed', async () => {
  const { person, heard } = open({ held_by: 'd1' })
  const list = await screen.findByRole('navigation', { name: 'Tools of the server' })
  expect(within(list).getAllByText('Changed')).toHaveLength(1)
  expect(within(list).getAllByText('Denied')).toHaveLength(1)
  expect(screen.getByText('1 tool waits for you to accept it: no call to it goes through.')).toBeTruthy()
  await person.click(screen.getByRole('button', { name: 'See what changed' }))
  await screen.findByRole('heading', title)
  expect(heard.filter(({ call }) => call.startsWith('POST'))).toEqual([])
})

it('asks anew about a tool that was kept blocked', async () => {
  const { person, heard } = open({})
  await person.click(await screen.findByRole('button', { name: 'See what changed' }))
  await screen.findByRole('heading', title)
  await waitFor(() =>
    expect(heard).toContainEqual({ call: 'POST /api/servers/notion/tools/review', body: { tool: 'search' } }),
  )
})
