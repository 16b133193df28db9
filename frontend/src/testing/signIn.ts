// A server that needs a sign-in, the tab that its page opens in, and a core that answers; for tests of signing in.
import { screen } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { vi } from 'vitest'
import type { SignIn } from '@/lib/api'
import { aServer, pretendCore } from './core'
import { openApp } from './openApp'

export const url = 'https://login.test/authorize?state=s1'
export const running: SignIn = {
  id: 's1',
  server: 'notion',
  running: true,
  authorize_url: url,
  issuer: 'https://login.test',
  redirect_uri: 'http://127.0.0.1:8913/callback',
  ends_at: new Date(Date.now() + 245_000).toISOString(),
}
export const ended = (reason: string) => ({ code: 'sign_in_ended', message: 'ended', args: { reason } })

/** A tab of the browser, as far as the page has to do with one. */
const aTab = () => ({
  opener: window as unknown,
  closed: false,
  document: document.implementation.createHTMLDocument(),
  location: { replace: vi.fn() },
  close: vi.fn(),
})

/** What a test sees and changes while it runs. */
export function aScene() {
  const open = vi.fn<(url?: string, target?: string, features?: string) => unknown>()
  const tab = aTab()
  open.mockImplementation(() => tab)
  vi.stubGlobal('open', open)
  return {
    open,
    tab,
    server: aServer({ state: 'needs_sign_in', reason: { code: 'sign_in_needed', message: 'sign in' } }),
    /** What the core says of the sign-in when it is asked. */
    now: running,
    heard: [] as ReturnType<typeof pretendCore>,
  }
}
export type Scene = ReturnType<typeof aScene>

/** Opens the interface over a core that answers as the scene says. */
export function openScene(scene: Scene, answers: Record<string, unknown> = {}, address = '/') {
  scene.heard = pretendCore({
    'GET /api/servers': () => ({ servers: [scene.server] }),
    'GET /api/servers/notion': () => scene.server,
    'GET /api/servers/notion/sign-in': {},
    'GET /api/servers/notion/tools': { tools: [] },
    'GET /api/servers/notion/traffic': { frames: [], next: 0 },
    'POST /api/sign-ins': running,
    'GET /api/sign-ins/s1': () => scene.now,
    'DELETE /api/sign-ins/s1': () => {
      scene.now = { ...running, running: false, error: ended('canceled') }
      return {}
    },
    ...answers,
  })
  return openApp(address)
}

export const calls = ({ heard }: Scene) => heard.map(({ call }) => call)
export const group = (name = 'notion') => screen.findByRole('group', { name: `Signing in to ${name}` })
export const press = async (user: ReturnType<typeof userEvent.setup>) =>
  user.click(await screen.findByRole('button', { name: 'Sign in' }))
