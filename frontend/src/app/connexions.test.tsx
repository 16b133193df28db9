import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aServer, pretendCore, refusal } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const servers = [
  aServer({ id: 'github', name: 'github' }),
  aServer({ id: 'notion', name: 'notion', state: 'needs_sign_in' }),
  aServer({ id: 'busy', name: 'busy', running_calls: 2 }),
]
const row = (name: string) => screen.findByRole('listitem', { name: new RegExp(`^Server ${name}`) })
const open = (answers: Record<string, unknown> = {}) => {
  const heard = pretendCore({ 'GET /api/servers': { servers }, ...answers })
  return { heard, user: openApp('/') }
}
const calls = (heard: { call: string }[]) => heard.map(({ call }) => call)

it('puts what waits for a person first, with its state in words and one action', async () => {
  open()
  const attention = await screen.findByRole('region', { name: /To fix/ })
  expect(within(attention).getByRole('listitem').getAttribute('aria-label')).toContain('Sign-in needed')
  expect(within(attention).getByRole('button', { name: 'Sign in' })).toBeTruthy()
})

it('is one tab stop per list: arrows move, Space switches, Enter opens', async () => {
  const { heard, user } = open({ 'POST /api/servers/github/disable': { ...servers[0], enabled: false, state: 'off' } })
  ;(await row('notion')).focus()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.getAttribute('data-row')).toBe('github')
  await user.keyboard(' ')
  await waitFor(() => expect(calls(heard)).toContain('POST /api/servers/github/disable'))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(window.location.hash).toBe('#/servers/github'))
})

it('asks before it switches off a server with calls in flight', async () => {
  const { heard, user } = open({ 'POST /api/servers/busy/disable': servers[2] })
  await user.click(within(await row('busy')).getByRole('switch'))
  const dialog = await screen.findByRole('dialog', { name: /Switch busy off/ })
  expect(dialog.textContent).toContain('2 calls are running')
  expect(calls(heard)).not.toContain('POST /api/servers/busy/disable')
  await user.click(within(dialog).getByRole('button', { name: 'Switch off' }))
  await waitFor(() => expect(calls(heard)).toContain('POST /api/servers/busy/disable'))
})

it('says when nothing matches, and comes back', async () => {
  const { user } = open()
  await user.type(await screen.findByRole('searchbox'), 'zzz')
  expect(await screen.findByText(/No server matches “zzz”/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear the filters' }))
  expect(await row('github')).toBeTruthy()
})

it('removes with a way back', async () => {
  const { heard, user } = open({ 'DELETE /api/servers/github': {}, 'POST /api/servers/github/restore': servers[0] })
  await user.click(within(await row('github')).getByRole('button', { name: 'Actions of github' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(calls(heard)).toContain('POST /api/servers/github/restore'))
})

it('teaches while there is no server', async () => {
  open({ 'GET /api/servers': { servers: [] } })
  expect(await screen.findByRole('heading', { name: 'Connect your first server' })).toBeTruthy()
  expect(screen.getByText(/No telemetry/)).toBeTruthy()
})

it('tries again what could not be had, or copies what is known of the failure', async () => {
  let broken = true
  const { user } = open({ 'GET /api/servers': () => (broken ? refusal('internal', 500) : { servers }) })
  await user.click(await screen.findByRole('button', { name: 'Copy the diagnosis' }))
  expect(await navigator.clipboard.readText()).toContain('internal: internal')
  broken = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await row('github')).toBeTruthy()
})
