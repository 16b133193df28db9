import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestReport } from '@/lib/api'
import { aReport, aServer, refusal } from '@/testing/core'
import { aScene, calls, ended, group, openScene, press, running, url, type Scene } from '@/testing/signIn'

const check = { id: 'acme', prefix: 'mcp_acme__', errors: [], variables: [], passed: [], preview: '' }
const wanted = aReport({
  name: 'acme',
  transport: 'streamable_http',
  ok: false,
  steps: [{ name: 'connect', ok: false, start_ms: 0, ms: 8 }],
  error: { code: 'sign_in_needed', message: 'sign in', args: { status: '401' }, proof: 'Bearer realm="acme"' },
})

let scene: Scene
let report: TestReport
let tests: number
beforeEach(() => {
  scene = aScene()
  report = wanted
  tests = 0
})

const open = (answers: Record<string, unknown> = {}, address = '/add?transport=streamable_http') =>
  openScene(
    scene,
    {
      'POST /api/drafts/check': check,
      'POST /api/tests': () => ({ ...report, id: `t${++tests}` }),
      'GET /api/tests/t1': wanted,
      'GET /api/tests/t2': () => ({ ...report, id: 't2' }),
      ...answers,
    },
    address,
  )
type User = ReturnType<typeof open>

async function toTest(user: User): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  await fromAuth(user)
}
async function fromAuth(user: User): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'acme')
  await user.type(screen.getByRole('textbox', { name: 'Address' }), 'https://acme.test/mcp')
  await user.click(screen.getByRole('button', { name: 'Test' }))
}
const draft = { name: 'acme', transport: 'streamable_http', url: 'https://acme.test/mcp' }
const sent = (call: string) => scene.heard.find((one) => one.call === call)?.body

describe('a test that wants a sign-in', () => {
  it('offers it in place, for the draft, and runs again by itself once that is done', async () => {
    const user = open()
    await toTest(user)
    await press(user)
    const panel = await group('acme')
    expect(within(panel).getByText('Your browser waits for you')).toBeTruthy()
    expect(scene.tab.location.replace.mock.calls).toEqual([[url]])
    expect(sent('POST /api/sign-ins')).toEqual({ definition: draft, language: 'en' })
    expect(screen.queryByText('What to do')).toBeNull()
    report = aReport({ transport: 'streamable_http' })
    scene.now = { ...running, running: false }
    expect(await screen.findByText(/Connected in/)).toBeTruthy()
    expect(tests).toBe(2)
    expect(screen.queryByRole('group', { name: /Signing in/ })).toBeNull()
  })

  it('says why nobody came in, and offers it again', async () => {
    const user = open()
    await toTest(user)
    await press(user)
    await group('acme')
    scene.now = { ...running, running: false, error: ended('timeout') }
    expect(await screen.findByText(/Nobody signed in in time/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Sign in again' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull() // one way to do the same
    expect(screen.getByRole('button', { name: 'Give a token' })).toBeTruthy()
    expect(tests).toBe(1)
  })

  it('leads to the client id where the provider registers nobody', async () => {
    const args = { issuer: 'https://login.test', redirect_uri: 'http://127.0.0.1:8913/callback' }
    const user = open({ 'POST /api/sign-ins': () => refusal('client_id_needed', 409, args) })
    await toTest(user)
    await press(user)
    await user.click(within(await group('acme')).getByRole('button', { name: 'Give the client ID' }))
    const field = await screen.findByRole('textbox', { name: 'Client ID' })
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(screen.getByRole('radio', { name: 'OAuth' }).getAttribute('aria-checked')).toBe('true')
  })

  it('still shows there where the answer comes back to', async () => {
    const user = open({
      'GET /api/settings': {
        settings: [{ key: 'oauth.callback_port', value: '8914', default: '8913', from: 'store' }],
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    await user.click(await screen.findByRole('button', { name: 'Do you already have a client ID?' }))
    expect(await screen.findByText('http://127.0.0.1:8914/callback')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Special cases' }))
    await user.type(screen.getByRole('textbox', { name: 'Redirect URI' }), 'http://localhost:9/x')
    await user.click(screen.getByRole('button', { name: 'Copy the redirect URI' }))
    expect(await navigator.clipboard.readText()).toBe('http://localhost:9/x')
  })

  it('is given up with the wizard', async () => {
    const user = open()
    await toTest(user)
    await press(user)
    await group('acme')
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(calls(scene)).toContain('DELETE /api/sign-ins/s1'))
  })

  it('signs in to a server of config.toml, which is not edited here', async () => {
    scene.server = aServer({ source: 'config.toml', line: 31, state: 'needs_sign_in' })
    const user = open({}, '/servers/notion/test')
    await press(user)
    await waitFor(() => expect(sent('POST /api/sign-ins')).toMatchObject({ server_id: 'notion' }))
    expect(screen.queryByRole('button', { name: 'Give a token' })).toBeNull()
  })
})

describe('the Auth step', () => {
  it('explains OAuth, and asks for a client only on demand', async () => {
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('You sign in')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Client ID' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Do you already have a client ID?' }))
    expect(screen.getByRole('radio', { name: 'OAuth' }).getAttribute('aria-checked')).toBe('true')
    await user.type(screen.getByRole('textbox', { name: 'Client ID' }), 'abc')
    await user.type(screen.getByRole('textbox', { name: 'Rights asked for' }), 'read write')
    await user.click(screen.getByRole('button', { name: 'Special cases' }))
    await user.click(screen.getByRole('checkbox', { name: /PKCE/ }))
    await fromAuth(user)
    await waitFor(() => expect(tests).toBe(1))
    expect(sent('POST /api/tests')).toEqual({
      definition: { ...draft, auth: { type: 'oauth', client_id: 'abc', scopes: ['read', 'write'], pkce: false } },
    })
  })

  it('has nothing for a local program, whose sign-in is among its parameters', async () => {
    scene.server = aServer({ transport: 'stdio', command: 'npx', state: 'needs_sign_in' })
    open({}, '/servers/notion/edit?step=auth')
    const field = await screen.findByRole('textbox', { name: 'Variable of the token' })
    await waitFor(() => expect(document.activeElement).toBe(field))
  })

  it('holds the test back while a client is half given, and leads back to it', async () => {
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    await user.click(await screen.findByRole('button', { name: 'Do you already have a client ID?' }))
    await user.type(screen.getByRole('textbox', { name: 'Client secret' }), 's3cret')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    const faults = (await screen.findByText('1 value to correct before testing.')).parentElement
    expect(faults?.textContent).toContain('The client ID is missing.')
    await user.click(within(faults ?? document.body).getByRole('button', { name: 'Auth' }))
    const field = await screen.findByRole('textbox', { name: 'Client ID' })
    await waitFor(() => expect(document.activeElement).toBe(field))
  })
})
