import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aScene, calls, group, openScene, press, running, url, type Scene } from '@/testing/signIn'

let scene: Scene
beforeEach(() => {
  scene = aScene()
})

describe('a press on "Sign in"', () => {
  it('opens one tab, cut off from this page, and waits with the time that is left', async () => {
    const user = openScene(scene)
    await press(user)
    const panel = await group()
    expect(within(panel).getByText('Your browser waits for you')).toBeTruthy()
    expect(within(panel).getByRole('status').textContent).toContain('login.test')
    expect(within(panel).getByRole('timer').textContent).toMatch(/^[34]:\d\d left$/)
    expect(scene.open.mock.calls).toEqual([['', '_blank']])
    expect(scene.tab.opener).toBeNull()
    expect(scene.tab.document.querySelector('main h1')?.textContent).toBe('Preparing the sign-in…')
    expect(scene.tab.document.documentElement.lang).toBe('en')
    expect(scene.tab.location.replace.mock.calls).toEqual([[url]])
    expect(scene.heard.find(({ call }) => call === 'POST /api/sign-ins')?.body).toEqual({
      server_id: 'notion',
      language: 'en',
    })
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull()
    expect(document.activeElement).toBe(panel)
  })

  it('takes the tab before it asks the core, while the browser still allows it', async () => {
    let taken = 0
    const user = openScene(scene, {
      'POST /api/sign-ins': () => {
        taken = scene.open.mock.calls.length
        return running
      },
    })
    await press(user)
    await group()
    expect(taken).toBe(1)
  })

  it('opens the same page again, and copies its address', async () => {
    const user = openScene(scene)
    await press(user)
    const panel = await group()
    await user.click(within(panel).getByRole('button', { name: 'Open again' }))
    expect(scene.open.mock.calls.at(-1)).toEqual([url, '_blank', 'noopener,noreferrer'])
    await user.click(within(panel).getByRole('button', { name: 'Copy the link' }))
    expect(await navigator.clipboard.readText()).toBe(url)
    expect(calls(scene).filter((call) => call === 'POST /api/sign-ins')).toHaveLength(1)
  })

  it('offers the page where the browser did not let it open', async () => {
    scene.open.mockReturnValueOnce(null)
    const user = openScene(scene)
    await press(user)
    const panel = await group()
    expect(within(panel).getByText('The page could not be opened')).toBeTruthy()
    await user.click(within(panel).getByRole('button', { name: 'Open the page' }))
    expect(scene.open.mock.calls.at(-1)?.[0]).toBe(url)
  })

  it('never opens what is no page of the web', async () => {
    const user = openScene(scene, { 'POST /api/sign-ins': { ...running, authorize_url: 'javascript:alert(1)' } })
    await press(user)
    expect(await screen.findByText('Not signed in')).toBeTruthy()
    expect(scene.tab.location.replace).not.toHaveBeenCalled()
    expect(scene.tab.close).toHaveBeenCalled()
    expect(calls(scene)).toContain('DELETE /api/sign-ins/s1')
  })

  it('needs no browser in the window: the system opens the page', async () => {
    const OpenURL = vi.fn(() => Promise.resolve())
    vi.stubGlobal('go', { main: { App: { OpenURL } } })
    const user = openScene(scene)
    await press(user)
    await group()
    expect(OpenURL.mock.calls).toEqual([[url]])
    expect(scene.open).not.toHaveBeenCalled()
    vi.stubGlobal('go', undefined)
  })

  it('opens nothing that stays where a program signs in by itself', async () => {
    const user = openScene(scene, { 'POST /api/sign-ins': { id: '', server: 'notion', running: false } })
    await press(user)
    await waitFor(() => expect(scene.tab.close).toHaveBeenCalled())
    expect(scene.tab.location.replace).not.toHaveBeenCalled()
    expect(screen.queryByRole('group', { name: /Signing in/ })).toBeNull()
  })

  it('gives a refused key again in place of it', async () => {
    scene.server = { ...scene.server, headers: [{ name: 'Authorization', value: 'Bearer ${KEY}' }] }
    const user = openScene(scene)
    await press(user)
    await waitFor(() => expect(window.location.hash).toBe('#/servers/notion/edit?step=auth'))
    expect(scene.open).not.toHaveBeenCalled()
  })
})
