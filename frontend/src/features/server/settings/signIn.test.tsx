import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Server, SignInState } from '@/lib/api'
import { aReport, pretendCore, type Heard } from '@/testing/core'
import { server as notion } from '@/testing/notion'
import { openApp } from '@/testing/openApp'
import { aScene, group, openScene, running } from '@/testing/signIn'

let heard: Heard[]

async function open(state: SignInState, change: Partial<Server> = {}) {
  let known = state
  const server = { ...notion, ...change }
  heard = pretendCore({
    'GET /api/servers/notion': server,
    'GET /api/servers/notion/traffic': { frames: [], next: 0 },
    'GET /api/servers/notion/sign-in': () => known,
    'POST /api/servers/notion/sign-out': () => {
      known = {}
      return {}
    },
    'POST /api/tests': aReport({ id: 't1', running: true }),
    'GET /api/tests/t1': aReport({ id: 't1' }),
    'PUT /api/servers/notion': ({ definition }: { definition: Server }) => ({ ...server, ...definition }),
  })
  const user = openApp('/servers/notion?tab=settings')
  await screen.findByRole('heading', { level: 1, name: 'notion' })
  return user
}
const later = () => new Date(Date.now() + 60_000)
const signed = (change: Partial<NonNullable<SignInState['signed']>> = {}): SignInState => ({
  signed: { issuer: 'https://login.test/tenant', renewable: true, ...change },
})
const calls = () => heard.map(({ call }) => call)

it('says where it is signed in, for what in words, and until when', async () => {
  await open(signed({ scopes: ['openid', 'offline_access', 'pages:read'], expires_at: later().toISOString() }))
  expect(await screen.findByText('login.test')).toBeTruthy()
  expect(screen.getByText('who you are')).toBeTruthy()
  expect(screen.getByText('pages:read')).toBeTruthy()
  expect(screen.getByText(/^good until .*\d\d:\d\d, renewed by itself$/)).toBeTruthy()
})

it('says when a person has to sign in again, and when no end is known', async () => {
  await open(signed({ renewable: false, expires_at: '2031-03-02T10:00:00Z' }))
  expect(await screen.findByText(/^good until 2 March 2031, \d\d:\d\d, then sign in again$/)).toBeTruthy()
})

it('says that no end is announced', async () => {
  await open(signed())
  expect(await screen.findByText('no end announced')).toBeTruthy()
})

it('signs out once that is confirmed', async () => {
  const user = await open(signed(), { auth: { type: 'oauth' } })
  await user.click(await screen.findByRole('button', { name: 'Sign out' }))
  const dialog = await screen.findByRole('dialog', { name: 'Sign out of notion' })
  expect(dialog.textContent).toContain('revoked')
  expect(calls()).not.toContain('POST /api/servers/notion/sign-out')
  await user.click(within(dialog).getByRole('button', { name: 'Sign out' }))
  expect(await screen.findByText('Nobody is signed in.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
})

it('says nothing of signing in to a server that is open, or has a key', async () => {
  await open({})
  expect(await screen.findByText('How it is reached')).toBeTruthy()
  expect(screen.queryByText('Signing in by browser')).toBeNull()
})

it('tests and saves a client, whose secret is kept as a reference', async () => {
  const user = await open({}, { auth: { type: 'oauth', dpop: true } })
  await user.click(await screen.findByRole('button', { name: 'Set up' }))
  await user.type(screen.getByRole('textbox', { name: 'Client secret' }), 's3cret')
  expect(screen.getByText('The client ID is missing.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Test and save' }).getAttribute('aria-disabled')).toBe('true')
  await user.type(screen.getByRole('textbox', { name: 'Client ID' }), 'abc')
  await user.click(screen.getByRole('button', { name: 'Test and save' }))
  await waitFor(() => expect(calls()).toContain('PUT /api/servers/notion'))
  expect(heard.find(({ call }) => call === 'PUT /api/servers/notion')?.body).toMatchObject({
    definition: {
      auth: {
        type: 'oauth',
        dpop: true,
        client_id: 'abc',
        secrets: [{ name: 'client_secret', value: 's3cret', secret: true }],
      },
    },
  })
})

it('shows what has no field, and how it is changed', async () => {
  const auth = { type: 'oauth', client_id: 'abc', grant: 'client_credentials', dpop: true }
  const user = await open({}, { auth })
  await user.click(await screen.findByRole('button', { name: 'Set up' }))
  expect(screen.getByText('client_credentials')).toBeTruthy()
  expect(screen.getByText('apollia mcp config notion --set auth.grant=…')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Copy the redirect URI' })).toBeNull() // nothing comes back where nobody signs in
})

it('only shows the sign-in of a server of config.toml', async () => {
  await open(signed(), { source: 'config.toml', line: 31, auth: { type: 'oauth', dpop: true } })
  expect(await screen.findByRole('button', { name: 'Sign out' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Set up' })).toBeNull()
  expect(screen.getByText('dpop')).toBeTruthy()
})

it('signs in for settings that want it, and tests them again by itself', async () => {
  const scene = aScene()
  let tests = 0
  const wanted = aReport({ ok: false, error: { code: 'sign_in_needed', message: 'sign in' } })
  scene.server = { ...notion, auth: { type: 'oauth' } }
  const user = openScene(
    scene,
    {
      'POST /api/tests': () => ({ ...wanted, id: `t${++tests}`, running: true }),
      'GET /api/tests/t1': wanted,
      'GET /api/tests/t2': aReport({ id: 't2' }),
      'PUT /api/servers/notion': scene.server,
    },
    '/servers/notion?tab=settings',
  )
  await user.type(await screen.findByRole('spinbutton', { name: 'Start timeout' }), '45')
  await user.click(screen.getByRole('button', { name: 'Test and save' }))
  await screen.findByText('Not saved: the test failed')
  const offers = screen.getAllByRole('button', { name: 'Sign in' })
  await user.click(offers.at(-1) ?? document.body)
  await group()
  scene.now = { ...running, running: false }
  expect(await screen.findByText('Settings tested and saved.')).toBeTruthy()
  expect(tests).toBe(2)
  expect(scene.heard.find(({ call }) => call === 'POST /api/sign-ins')?.body).toMatchObject({
    server_id: 'notion',
    definition: { timeout_ms: 45_000 },
  })
})
