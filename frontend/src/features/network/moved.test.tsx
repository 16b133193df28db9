import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { aServer, pretendCore, refusal } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const at = (to: string) => aServer({ id: 'notes', name: 'notes', moved: { from: 'http://10.0.0.7/mcp', to } })

it('sends a person’s word for the address that was read, and for no other that came meanwhile', async () => {
  let server = at('http://10.0.0.8/mcp')
  let tell: (change: { topic: string }) => void = () => undefined
  vi.stubGlobal('go', { main: { App: {} } })
  vi.stubGlobal('runtime', { EventsOn: (_: string, hear: typeof tell) => ((tell = hear), () => undefined) })
  const heard = pretendCore({
    'GET /api/servers': () => ({ servers: [server] }),
    'GET /api/servers/notes': () => server,
    'POST /api/servers/notes/move': () => refusal('invalid_input', 400, { reason: 'moved_again' }),
  })
  const user = openApp('/servers/notes')
  await user.click(await screen.findByRole('button', { name: 'Review the address' }))
  const question = await screen.findByRole('dialog')
  expect(within(question).getByText('http://10.0.0.8/mcp')).toBeDefined()
  server = at('http://10.0.0.66/mcp')
  tell({ topic: 'servers' })
  await screen.findByText(/has this server at http:\/\/10.0.0.66\/mcp now/)
  await user.click(within(question).getByRole('button', { name: 'Use the new address' }))
  await waitFor(() =>
    expect(heard.find(({ call }) => call === 'POST /api/servers/notes/move')?.body).toEqual({
      to: 'http://10.0.0.8/mcp',
    }),
  )
})
