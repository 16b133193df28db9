import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { aServer, refusal } from '@/testing/core'
import { aScene, calls, ended, group, openScene, press, running, url, type Scene } from '@/testing/signIn'

let scene: Scene
beforeEach(() => {
  scene = aScene()
})

describe('the end of a sign-in', () => {
  it('turns the server green by itself', async () => {
    const user = openScene(scene)
    await press(user)
    await group()
    scene.server = aServer()
    scene.now = { ...running, running: false }
    expect(await screen.findByText('Ready')).toBeTruthy()
    expect(await screen.findByText('Signed in to notion.')).toBeTruthy()
    expect(screen.queryByRole('group', { name: /Signing in/ })).toBeNull()
  })

  it('is at hand: cancelling tells the core and leaves no trace', async () => {
    const user = openScene(scene)
    await press(user)
    await user.click(within(await group()).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(calls(scene)).toContain('DELETE /api/sign-ins/s1'))
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy()
    expect(screen.queryByText('Not signed in')).toBeNull()
    expect(document.activeElement?.getAttribute('data-row')).toBe('notion')
  })

  it('says that nobody came in time, and signs in again', async () => {
    const user = openScene(scene)
    await press(user)
    await group()
    scene.now = { ...running, running: false, error: ended('timeout') }
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Nobody signed in in time.')
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull()
    scene.now = running
    await user.click(screen.getByRole('button', { name: 'Sign in again' }))
    expect(await screen.findByText('Your browser waits for you')).toBeTruthy()
    expect(scene.open).toHaveBeenCalledTimes(2)
  })

  it('says who refused, in their words', async () => {
    const user = openScene(scene)
    await press(user)
    await group()
    const args = { issuer: 'https://login.test', description: 'no access for you.' }
    scene.now = { ...running, running: false, error: { code: 'sign_in_denied', message: 'denied', args } }
    expect((await screen.findByRole('alert')).textContent).toContain(
      'login.test refused the sign-in: “no access for you”. Sign in again when you want to.',
    )
  })
})

describe('a sign-in that cannot begin', () => {
  it('leads to the port that is taken', async () => {
    const args = { port: '8913', setting: 'oauth.callback_port' }
    const user = openScene(scene, { 'POST /api/sign-ins': () => refusal('callback_port_busy', 409, args) })
    await press(user)
    expect((await screen.findByRole('alert')).textContent).toContain('8913')
    expect(scene.tab.close).toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Change the port' }))
    await waitFor(() => expect(window.location.hash).toBe('#/settings?row=oauth.callback_port'))
  })

  it('gives the redirect URI to register, and leads to the client ID', async () => {
    const args = { issuer: 'https://login.test', redirect_uri: 'http://127.0.0.1:8913/callback' }
    const user = openScene(scene, { 'POST /api/sign-ins': () => refusal('client_id_needed', 409, args) })
    await press(user)
    const panel = await group()
    expect(within(panel).getByText(args.redirect_uri)).toBeTruthy()
    await user.click(within(panel).getByRole('button', { name: 'Copy the redirect URI' }))
    expect(await navigator.clipboard.readText()).toBe(args.redirect_uri)
    await user.click(within(panel).getByRole('button', { name: 'Give the client ID' }))
    await waitFor(() => expect(window.location.hash).toBe('#/servers/notion/edit?step=auth'))
  })

  it.each([
    ['sign_in_refused', { reason: 'no_pkce', address: 'login.test' }, 'PKCE S256'],
    ['sign_in_unreachable', { address: 'login.test' }, 'login.test'],
  ])('says why: %s', async (code, args, words) => {
    const user = openScene(scene, { 'POST /api/sign-ins': () => refusal(code, 502, args) })
    await press(user)
    expect((await screen.findByRole('alert')).textContent).toContain(words)
    await user.click(within(await group()).getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('group', { name: /Signing in/ })).toBeNull()
  })
})

it('shows a sign-in that was begun elsewhere, and opens nothing by itself', async () => {
  const user = openScene(scene, { 'GET /api/servers/notion/sign-in': { waiting: running } })
  const panel = await group()
  expect(scene.open).not.toHaveBeenCalled()
  expect(document.activeElement).not.toBe(panel)
  await user.click(within(panel).getByRole('button', { name: 'Open again' }))
  expect(scene.open.mock.calls[0]?.[0]).toBe(url)
})

it('is the same on the page of the server', async () => {
  const user = openScene(scene, {}, '/servers/notion?tab=tools')
  await press(user)
  expect(await group()).toBeTruthy()
  expect(scene.open).toHaveBeenCalledTimes(1)
})
