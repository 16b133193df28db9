import { describe, expect, it } from 'vitest'
import type { FieldError } from '@/lib/api'
import { draftOf, type Draft } from './draft'
import { authFault, blocking, faultsOf, fieldName } from './faults'
import { tokenField } from './wizard'

const invalid = (field: string, code = 'invalid_input'): FieldError => ({ field, error: { code, message: 'wrong' } })
const local = draftOf({ name: 'pg', transport: 'stdio', command: '' })
const remote = draftOf({
  name: 'acme',
  transport: 'streamable_http',
  url: 'https://acme.test/mcp',
  headers: [
    { name: 'Authorization', value: 'Bearer abcdef' },
    { name: 'X-Tenant', value: 'atlas' },
    { name: 'x-tenant', value: 'other' },
  ],
})
const key = (field: string, draft: Draft) => faultsOf([invalid(field)], draft)[0]?.key

describe('the field of a fault', () => {
  it('is the Auth step for its own header, and the row of the list for the others', () => {
    const fields = (field: string) => faultsOf([invalid(field, 'variable_unset')], remote)[0]?.field
    expect(fields('headers[0].value')).toBe('auth')
    expect(fields('headers[1].value')).toBe('headers[0].value')
  })

  it('counts the rows that are still empty', () => {
    const draft = {
      ...local,
      env: [
        { key: 1, name: '', value: '' },
        { key: 2, name: 'A', value: '${B}' },
      ],
    }
    expect(faultsOf([invalid('env[0].value', 'variable_unset')], draft)[0]?.field).toBe('env[1].value')
  })
})

describe('what a field is called', () => {
  it('is the name in its row, else the label on the page', () => {
    expect(fieldName('headers[0].value', remote)).toEqual({ name: 'X-Tenant' })
    expect(fieldName('headers[7].name', remote)).toEqual({ key: 'wizard.headers.title' })
    expect(fieldName('roots[1]', local)).toEqual({ key: 'wizard.roots.title' })
    expect(fieldName('timeout_ms', local)).toEqual({ key: 'wizard.timeout' })
    expect(fieldName(tokenField, local)).toEqual({ key: 'wizard.tokenAuth.title' })
  })
})

describe('the sentence of a fault', () => {
  it.each([
    ['command', local, 'programMissing'],
    ['url', { ...remote, url: '' }, 'addressMissing'],
    ['url', { ...remote, url: 'acme' }, 'address'],
    ['url', { ...remote, url: 'https://u:p@acme.test' }, 'addressPassword'],
    ['url', { ...remote, url: 'https://acme.test/#x' }, 'addressFragment'],
    ['cwd', local, 'notFullPath'],
    ['roots[0]', local, 'notFullPath'],
    ['headers[2].name', remote, 'nameTwice'],
    ['timeout_ms', local, 'timeout'],
    ['transport', local, undefined],
  ] satisfies [string, Draft, string | undefined][])('%s', (field, draft, want) => {
    expect(key(field, draft)).toBe(want)
  })

  it('leaves the other failures their own words', () => {
    expect(faultsOf([invalid('name', 'duplicate_name')], local)[0]?.key).toBeUndefined()
  })
})

it('lets a program that was not found be tested, so that the test says where it looked', () => {
  const faults = faultsOf([invalid('command', 'program_not_found'), invalid('name', 'invalid_name')], local)
  expect(blocking(faults).map(({ field }) => field)).toEqual(['name'])
})

it('misses a token where one was promised', () => {
  const auth = (change: Partial<Draft['auth']>) => authFault({ ...remote, auth: { ...remote.auth, ...change } })
  expect(auth({ token: ' ' })).toBe('tokenMissing')
  expect(auth({ kind: 'api-key' })).toBe('keyMissing')
  expect(auth({ kind: 'api-key', keyValue: 'x', keyName: 'a b' })).toBe('badName')
  expect(auth({})).toBeUndefined()
  expect(authFault({ ...local, auth: { ...local.auth, kind: 'bearer' } })).toBeUndefined()
})

it('misses what a sign-in needs, of the kind that is chosen', () => {
  const oauth = { ...remote.auth.oauth, provider: 'github' }
  expect(authFault({ ...remote, auth: { ...remote.auth, kind: 'oauth', oauth } })).toBe('clientIdMissing')
  expect(authFault({ ...remote, auth: { ...remote.auth, oauth } })).toBeUndefined()
  expect(authFault({ ...local, tokenAuth: { ...oauth, clientId: 'abc' } })).toBe('tokenVarMissing')
})
