import { describe, expect, it } from 'vitest'
import type { SignIn } from '@/lib/api'
import { aServer } from '@/testing/core'
import {
  canSignIn,
  endOf,
  hostOf,
  isSigningIn,
  isWebAddress,
  lacksSignIn,
  nextStepsOf,
  shownAttempt,
  timeLeft,
  type Attempt,
} from './attempt'

const signIn: SignIn = { id: 's1', server: 'notion', running: true, authorize_url: 'https://login.test/a' }
const waiting: Attempt = { is: 'waiting', signIn, blocked: true }

describe('what is shown of a sign-in', () => {
  it('is the attempt of this window, else the one that the core knows of', () => {
    const elsewhere = { waiting: { ...signIn, id: 's2' } }
    expect(shownAttempt(waiting, elsewhere)).toBe(waiting)
    expect(shownAttempt(null, elsewhere)).toEqual({
      is: 'waiting',
      signIn: elsewhere.waiting,
      blocked: false,
      elsewhere: true,
    })
    expect(shownAttempt({ is: 'done', at: 0 }, elsewhere)?.is).toBe('waiting')
    expect(shownAttempt(null, undefined)).toBeNull()
    expect(shownAttempt(null, {})).toBeNull()
  })

  it('is under way from the press to the end', () => {
    const failed: Attempt = { is: 'failed', error: { code: 'sign_in_denied', message: 'no' } }
    expect([null, { is: 'preparing' } as const, waiting, failed].map(isSigningIn)).toEqual([false, true, true, false])
  })

  it('ends in success unless there is an error', () => {
    const error = { code: 'sign_in_denied', message: 'denied' }
    expect(endOf({ ...signIn, running: false }, 7)).toEqual({ is: 'done', at: 7 })
    expect(endOf({ ...signIn, running: false, error })).toEqual({ is: 'failed', error })
  })
})

it('counts the time left in minutes and seconds, never below none', () => {
  const now = new Date('2026-11-30T10:00:00Z')
  expect(timeLeft('2026-11-30T10:04:05Z', now)).toBe('4:05')
  expect(timeLeft('2026-11-30T10:00:00.400Z', now)).toBe('0:01')
  expect(timeLeft('2026-11-30T09:00:00Z', now)).toBe('0:00')
  expect(timeLeft(undefined, now)).toBeUndefined()
})

it('opens pages of the web only', () => {
  expect(['https://a.test', 'http://127.0.0.1:1/x'].every(isWebAddress)).toBe(true)
  expect(['javascript:alert(1)', 'file:///etc/passwd', '', undefined].some(isWebAddress)).toBe(false)
})

it('names a host, or what stands in its place', () => {
  expect(hostOf('https://login.test:8443/tenant')).toBe('login.test:8443')
  expect(hostOf('login')).toBe('login')
})

it.each([
  ['callback_port_busy', ['port', 'retry']],
  ['client_id_needed', ['fields', 'retry']],
  ['config_invalid', ['fields']],
  ['sign_in_denied', ['retry']],
  ['sign_in_ended', ['retry']],
])('leads on from %s', (code, steps) => {
  expect(nextStepsOf({ code })).toEqual(steps)
})

it.each([
  [{ state: 'needs_sign_in', reason: { code: 'credential_missing', message: '' } }, true],
  [{ state: 'degraded', reason: { code: 'more_rights_needed', message: '' } }, true],
  [{ state: 'degraded', reason: { code: 'protocol_error', message: '' } }, false],
  [{ state: 'ready' }, false],
] as const)('is lacked by a server that is %o: %s', (server, lacks) => {
  expect(lacksSignIn(server)).toBe(lacks)
})

describe('a browser can sign in', () => {
  it.each([
    ['to a remote server', aServer(), true],
    ['not where a key is sent', aServer({ headers: [{ name: 'authorization', value: '${KEY}' }] }), false],
    ['not where a secret is sent', aServer({ headers: [{ name: 'X-Key', value: 'x', secret: true }] }), false],
    ['where the headers are no secrets', aServer({ headers: [{ name: 'X-Team', value: 'x' }] }), true],
    ['not to a program', aServer({ transport: 'stdio' }), false],
    ['to a program with a provider', aServer({ transport: 'stdio', auth: { type: 'oauth' } }), true],
  ])('%s', (_what, server, can) => {
    expect(canSignIn(server)).toBe(can)
  })
})
