import { describe, expect, it } from 'vitest'
import type { Failure } from '@/lib/api'
import { draftOf, type Draft } from './draft'
import { fixesFor, missingVariable } from './fixes'

const local = draftOf({ name: 'pg', transport: 'stdio', command: 'npx' })
const remote = draftOf({ name: 'acme', transport: 'streamable_http', url: 'https://acme.test/' })
const fix = (code: string, draft: Draft, more: Partial<Failure> = {}) =>
  fixesFor({ error: { code, message: code, ...more } }, draft)
const first = (...args: Parameters<typeof fix>) => fix(...args)[0]

describe('missingVariable', () => {
  it.each([
    ['Error: DATABASE_URL is not set', 'DATABASE_URL'],
    ['GITHUB_PERSONAL_ACCESS_TOKEN environment variable is required', 'GITHUB_PERSONAL_ACCESS_TOKEN'],
    ['Missing required environment variable: SLACK_BOT_TOKEN', 'SLACK_BOT_TOKEN'],
    ['Please set BRAVE_API_KEY before starting', 'BRAVE_API_KEY'],
    ['Usage: mcp-server-filesystem <directory>', undefined],
    ['Error: ENOENT: no such file', undefined],
  ])('%s', (line, want) => {
    expect(missingVariable(`starting\n${line}\n    at load (config.js:41)`)).toBe(want)
  })
})

describe('the likeliest fix', () => {
  it('adds the variable that the program names', () => {
    expect(first('server_exited', local, { proof: 'DATABASE_URL is not set' })?.action).toEqual({
      does: 'add-variable',
      name: 'DATABASE_URL',
    })
  })

  it('looks at the arguments when the program does not say', () => {
    expect(first('server_exited', local, { proof: 'Usage: server <dir>' })?.action).toEqual({
      does: 'go',
      to: { step: 'parameters', field: 'args' },
    })
  })

  it('tries the usual address when a home page answered, once', () => {
    expect(first('html_instead_of_mcp', remote)?.args).toEqual({ url: 'https://acme.test/mcp' })
    expect(first('html_instead_of_mcp', { ...remote, url: 'https://acme.test/mcp' })?.key).toBe('address')
  })

  it.each([
    ['program_not_found', local, {}, 'command'],
    ['spawn_failed', local, { args: { reason: 'no_folder' } }, 'folder'],
    ['no_answer', local, {}, 'timeout'],
    ['dns_failed', remote, {}, 'address'],
    ['connection_refused', remote, {}, 'retry'],
    ['tls_failed', remote, { args: { reason: 'not_tls' } }, 'tryAddress'],
    ['http_status', remote, { args: { status: '403' } }, 'token'],
    ['http_status', remote, { args: { status: '405' } }, 'trySse'],
    ['http_status', { ...remote, transport: 'sse' }, { args: { status: '405' } }, 'tryHttp'],
    ['sign_in_needed', remote, {}, 'signIn'],
    ['sign_in_needed', { ...remote, auth: { ...remote.auth, kind: 'oauth' } }, {}, 'signIn'],
    ['sign_in_needed', { ...remote, auth: { ...remote.auth, kind: 'bearer' } }, {}, 'token'],
    ['more_rights_needed', remote, {}, 'signIn'],
    ['sign_in_needed', local, {}, 'signIn'],
    ['variable_unset', remote, { args: { field: 'headers[0].value' } }, 'variable'],
    ['message_too_large', local, {}, 'buffer'],
    ['something_new', remote, {}, 'address'],
  ] satisfies [string, Draft, Partial<Failure>, string][])('for %s', (code, draft, more, want) => {
    expect(first(code, draft, more)?.key).toBe(want)
  })
})

it('never leaves a person without a way on', () => {
  for (const code of ['program_not_found', 'connection_refused', 'server_exited', 'something_new']) {
    expect(fix(code, local)).not.toEqual([])
  }
  expect(fixesFor({}, local).map(({ key }) => key)).toEqual(['retry'])
})
