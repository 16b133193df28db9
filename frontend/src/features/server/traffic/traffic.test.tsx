import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Frame } from '@/lib/api'
import { aServer, pretendCore } from '@/testing/core'
import { capabilities } from '@/testing/notion'
import { openApp } from '@/testing/openApp'

async function open(traffic: unknown) {
  const shown = aServer({ capabilities })
  pretendCore({
    'GET /api/servers': { servers: [shown] },
    'GET /api/servers/notion': shown,
    'GET /api/servers/notion/logs': { lines: [], next: 0 },
    'GET /api/servers/notion/traffic': traffic,
  })
  const user = openApp('/servers/notion?tab=logs')
  await screen.findByRole('heading', { level: 1, name: 'notion' })
  return user
}

describe('traffic', () => {
  const frame = (seq: number, direction: Frame['direction'], text: string): Frame => ({
    seq,
    at: '2026-11-26T16:04:00Z',
    direction,
    size: text.length,
    text,
  })
  const frames = [
    frame(1, 'sent', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
    frame(2, 'received', '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search"}]}}'),
    frame(3, 'sent', '{"jsonrpc":"2.0","method":"notifications/initialized"}'),
  ]

  it('follows what is exchanged, finds a message, and shows and copies all of it', async () => {
    let known = 1
    const user = await open(() => ({ frames: frames.slice(0, known), next: known }))
    await user.click(screen.getByRole('button', { name: 'Open the traffic' }))
    const list = await screen.findByRole('list', { name: 'Traffic' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(1)
    known = 3
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(3))
    await user.type(screen.getByRole('textbox', { name: 'Filter the traffic' }), 'SEARCH')
    expect(within(list).getAllByRole('listitem')).toHaveLength(1)
    await user.click(within(list).getByRole('button', { name: /tools\/list\s*answer/ }))
    const whole = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'search' }] } }, null, 2)
    expect(within(list).getByRole('group', { name: 'tools/list' }).textContent).toBe(whole)
    await user.click(within(list).getByRole('button', { name: 'Copy the message' }))
    expect(await navigator.clipboard.readText()).toBe(whole)
    await user.type(screen.getByRole('textbox', { name: 'Filter the traffic' }), 'nothing')
    expect(screen.getByText('No message matches.')).toBeDefined()
  })

  it('shows the pings of both sides', async () => {
    const pings = [
      frame(1, 'sent', '{"jsonrpc":"2.0","id":7,"method":"ping"}'),
      frame(2, 'received', '{"jsonrpc":"2.0","id":7,"result":{}}'),
      frame(3, 'received', '{"jsonrpc":"2.0","id":"a","method":"ping"}'),
      frame(4, 'sent', '{"jsonrpc":"2.0","id":"a","result":{}}'),
    ]
    const user = await open({ frames: pings, next: 4 })
    await user.click(screen.getByRole('button', { name: 'Open the traffic' }))
    const list = await screen.findByRole('list', { name: 'Traffic' })
    expect(within(list).getAllByRole('button', { name: /ping/ })).toHaveLength(4)
    expect(within(list).getAllByRole('button', { name: /ping\s*answer/ })).toHaveLength(2)
  })
})
