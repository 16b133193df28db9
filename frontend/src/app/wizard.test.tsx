import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Definition } from '@/lib/api'
import { aReport, aServer, pretendCore } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const definition: Definition = { name: 'pg', transport: 'stdio', command: 'npx', args: ['-y', '@acme/pg'] }
const check = { id: 'pg', prefix: 'mcp_pg__', errors: [], variables: [], passed: ['PATH'], preview: 'npx -y @acme/pg' }
const failed = aReport({
  ok: false,
  steps: [{ name: 'resolve', ok: false, start_ms: 0, ms: 8 }],
  error: { code: 'server_exited', message: 'ended', args: { exit_code: '1' }, proof: 'Error: DATABASE_URL is not set' },
})

function open(report = aReport(), address = '/add') {
  const heard = pretendCore({
    'POST /api/drafts/parse': { format: 'command', read: 'npx', definitions: [definition], secrets: 0 },
    'POST /api/drafts/check': check,
    'POST /api/tests': report,
    'GET /api/tests/t1': report,
    'POST /api/servers': aServer({ id: 'pg', name: 'pg' }),
    'GET /api/servers/pg': aServer({ id: 'pg', ...definition }),
    'PUT /api/servers/pg': aServer({ id: 'pg', ...definition }),
  })
  return { heard, user: openApp(address) }
}
const body = (heard: { call: string; body: unknown }[], call: string) => heard.find((one) => one.call === call)?.body

it('adds a pasted server with the keyboard alone, and saves nothing before the end', async () => {
  const { heard, user } = open()
  await user.type(await screen.findByLabelText('Paste anything'), 'npx -y @acme/pg')
  await screen.findByText(/Recognised: a command/)
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText(/reads its keys from its variables/)
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByDisplayValue('@acme/pg')).toBeTruthy()
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText(/Connected in/)
  await user.keyboard('{Control>}{Enter}{/Control}')
  const tick = await screen.findByRole('checkbox', { name: /one of its tools can destroy data/ })
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(body(heard, 'POST /api/servers')).toBeUndefined()
  tick.focus()
  await user.keyboard(' {Control>}{Enter}{/Control}')
  await waitFor(() => expect(body(heard, 'POST /api/servers')).toEqual({ definition, test_id: 't1' }))
  expect(await screen.findByText('pg is added.')).toBeTruthy()
})

it('names the cause of a failed test, and its likeliest fix leads to the field', async () => {
  const { user } = open(failed)
  await user.type(await screen.findByLabelText('Paste anything'), 'npx')
  await screen.findByText(/Recognised/)
  await user.keyboard('{Control>}{Enter}{Enter}{/Control}')
  await screen.findByDisplayValue('@acme/pg')
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('The variable DATABASE_URL is missing')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Continue' }).getAttribute('aria-disabled')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Add DATABASE_URL' }))
  await waitFor(() => expect(document.activeElement?.getAttribute('data-field')).toBe('env[0].value'))
  expect(screen.getByDisplayValue('DATABASE_URL')).toBeTruthy()
})

it('keeps everything when going back', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('radio', { name: 'Streamable HTTP' }))
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await user.click(await screen.findByRole('radio', { name: 'Token' }))
  await user.type(await screen.findByRole('textbox', { name: /Token/ }), 's3cret-token-e17a')
  await user.click(screen.getByRole('button', { name: 'Back' }))
  await user.click(await screen.findByRole('button', { name: 'Auth' }))
  const token = await screen.findByRole<HTMLInputElement>('textbox', { name: /Token/ })
  expect(token.value).toMatch(/^•+e17a$/)
})

it('asks before leaving what was typed, and stays by default', async () => {
  const { user } = open()
  await user.type(await screen.findByLabelText('Paste anything'), 'npx')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Stay'))
  await user.click(screen.getByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(window.location.hash).toBe('#/'))
})

it('leaves at once when nothing was typed', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(window.location.hash).toBe('#/'))
})

it('tests a changed server again, then saves it', async () => {
  const { heard, user } = open(aReport(), '/servers/pg/edit')
  await user.type(await screen.findByDisplayValue('@acme/pg'), '-next')
  await user.click(screen.getByRole('button', { name: 'Test and save' }))
  await waitFor(() =>
    expect(body(heard, 'PUT /api/servers/pg')).toMatchObject({
      definition: { args: ['-y', '@acme/pg-next'] },
      test_id: 't1',
    }),
  )
})

it('leaves the focus in a field that was clicked before the step had taken it', async () => {
  const frames: FrameRequestCallback[] = []
  const later = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame))
  const { user } = open(aReport(), '/servers/pg/edit')
  const field = await screen.findByDisplayValue('@acme/pg')
  await user.click(field)
  for (const frame of frames) frame(0)
  expect(document.activeElement).toBe(field)
  later.mockRestore()
})
