import i18n from 'i18next'
import { expect, it } from 'vitest'
import { sayFailure } from '@/features/vocabulary'
import type { Failure, Server } from '@/lib/api'
import { aServer } from '@/testing/core'
import { actionOf } from './actions'
import { reasonOf } from './reason'

const failure = (code: string): Failure => ({ code, message: code })

it.each<[string, Partial<Server>, string, string | undefined]>([
  ['ready', {}, 'mcp.notion.com', 'try'],
  ['ready, with a held tool', { held_tools: 1 }, '1 tool to accept', 'review'],
  ['starting', { state: 'starting' }, 'Launch and handshake', 'cancel'],
  ['installing', { state: 'installing' }, 'Downloading the program', 'cancel'],
  ['installing, with its last line', { state: 'installing', last_line: 'fetched 12 MB' }, '“fetched 12 MB”', 'cancel'],
  ['sign-in', { state: 'needs_sign_in', reason: failure('sign_in_needed') }, 'sign', 'sign-in'],
  ['approval', { state: 'needs_approval', reason: failure('approval_needed') }, 'pprov', 'review'],
  ['degraded', { state: 'degraded', reason: failure('protocol_error') }, 'does not follow the MCP protocol', 'log'],
  ['in want of rights', { state: 'degraded', reason: failure('more_rights_needed') }, 'wants more rights', 'sign-in'],
  ['stopped', { state: 'stopped', reason: failure('server_exited') }, 'The program ended', 'diagnose'],
  ['disconnected', { state: 'off', reason: failure('server_off') }, 'Session ended', 'connect'],
  ['off', { state: 'off', enabled: false }, 'Switched off', undefined],
])('a server that is %s has its reason and one way on, in the list', (_, change, reason, does) => {
  const server = aServer(change)
  const words = (error: unknown) => sayFailure(i18n, error as Failure)
  const { short, full } = reasonOf(server, words, i18n.t, 'en')
  expect(full).toContain(reason)
  expect(short).not.toBe('')
  expect(actionOf(server)?.does).toBe(does)
})
