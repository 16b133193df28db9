import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { pretendCore, refusal } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const draft = {
  definition: { name: 'Team notes', transport: 'streamable_http', url: 'http://10.0.0.7:8931/mcp', instance: 'notes' },
}

it('makes the draft of a found server once, and keeps it when that server is gone', async () => {
  const stream: { onopen?: () => void; onmessage?: unknown; close: () => void } = { close: () => undefined }
  vi.stubGlobal('EventSource', function () {
    return stream
  })
  let there = true
  const heard = pretendCore({
    'POST /api/network/found/n1/draft': () =>
      there ? draft : refusal('unknown_item', 404, { reason: 'network_gone', id: 'n1' }),
  })
  openApp('/add?found=n1')
  await screen.findByText('Test of Team notes')
  there = false
  const before = heard.filter(({ call }) => call === 'GET /api/servers').length
  stream.onopen?.() // all that is on screen is fetched again
  await waitFor(() => expect(heard.filter(({ call }) => call === 'GET /api/servers').length).toBeGreaterThan(before))
  expect(heard.filter(({ call }) => call.endsWith('/draft'))).toHaveLength(1)
  expect(screen.getByText('Test of Team notes')).toBeDefined()
})
