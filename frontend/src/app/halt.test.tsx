import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { pretendCore, refusal } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const going = {
  running: true,
  url: 'http://127.0.0.1:7433',
  mcp_url: 'http://127.0.0.1:7433/mcp',
  servers: { ready: 1, total: 1 },
  inbox: 0,
  calls_today: 0,
  problems: [],
}
const halt = {
  by: { kind: 'window', name: 'window', user: 'local' },
  at: '2026-11-30T16:04:00Z',
  canceled: 3,
  held: 1,
}

function open(answers: Record<string, unknown> = {}) {
  let halted = false
  pretendCore({
    'GET /api/status': () => (halted ? { ...going, calls_stopped: halt } : going),
    'GET /api/policy': { rules: [] },
    'GET /api/approvals': { approvals: [] },
    'POST /api/stop-calls': () => {
      halted = true
      return halt
    },
    'POST /api/resume-calls': () => {
      halted = false
      return {}
    },
    ...answers,
  })
  return openApp('/policy')
}

type Person = ReturnType<typeof open>

const ways: [string, (person: Person) => Promise<void>][] = [
  ['the keys', (person) => person.keyboard('{Control>}.{/Control}')],
  ['Rules', async (person) => person.click(await screen.findByRole('button', { name: 'Stop all calls' }))],
  [
    'the menu of the gateway',
    async (person) => {
      await person.click(screen.getByRole('button', { name: /Gateway/ }))
      await person.click(await screen.findByRole('menuitem', { name: /Stop all calls/ }))
    },
  ],
  [
    'the palette',
    async (person) => {
      await person.keyboard('{Control>}k{/Control}')
      await person.type(await screen.findByRole('combobox', { name: /Search/ }), 'stop all')
      await person.keyboard('{Enter}')
    },
  ],
]

it.each(ways)('stops all calls from %s, says how many, and goes on at a press', async (_way, stop) => {
  const person = open()
  await screen.findByRole('button', { name: 'Stop all calls' })
  expect(screen.queryByText(/All calls are stopped/)).toBeNull()
  await stop(person)
  const bar = await screen.findByText(/All calls are stopped: 3 were ended/)
  expect(bar.textContent).toContain('1 waits')
  await person.click(screen.getByRole('button', { name: 'Resume' }))
  await waitFor(() => expect(screen.queryByText(/All calls are stopped/)).toBeNull())
})

it('says what kept calls from going on, and stays stopped', async () => {
  const person = open({ 'POST /api/resume-calls': () => refusal('disk_full', 500) })
  await person.click(await screen.findByRole('button', { name: 'Stop all calls' }))
  await person.click(await screen.findByRole('button', { name: 'Resume' }))
  expect(await screen.findByText(/disk is full/i)).toBeTruthy()
  expect(screen.getByText(/All calls are stopped/)).toBeTruthy()
})
