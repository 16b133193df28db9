import { describe, expect, it } from 'vitest'
import type { Auth } from '@/lib/api'
import {
  authOf,
  emptyOAuth,
  isAdvanced,
  isBlank,
  oauthDraftOf,
  oauthFault,
  othersOf,
  type OAuthDraft,
} from './oauthDraft'

const draft = (change: Partial<OAuthDraft>): OAuthDraft => ({ ...emptyOAuth, ...change })

describe('what a definition says of a sign-in, put into the fields and read back', () => {
  it.each<[string, Auth]>([
    ['nothing', { type: 'oauth' }],
    ['a client of one’s own', { type: 'oauth', client_id: 'abc', scopes: ['read', 'write'] }],
    [
      'a known provider',
      {
        type: 'oauth',
        provider: 'microsoft',
        tenant: 'acme',
        client_id: 'abc',
        secrets: [{ name: 'client_secret', value: 's3cret', secret: true }],
      },
    ],
    [
      'a provider of one’s own',
      {
        type: 'oauth',
        provider: 'custom',
        client_id: 'abc',
        authorize_url: 'https://a.test/authorize',
        token_url: 'https://a.test/token',
        redirect_uri: 'http://localhost:9000/back',
        pkce: false,
        secrets: [{ name: 'client_secret', value: '${secret:acme/client_secret}' }],
      },
    ],
    ['a token in a variable', { type: 'oauth', provider: 'github', client_id: 'abc', env_token_var: 'GITHUB_TOKEN' }],
    [
      'what has no field',
      {
        type: 'oauth',
        grant: 'client_credentials',
        dpop: true,
        signing_alg: 'ES256',
        client_id: 'abc',
        secrets: [{ name: 'private_key', value: 'pem', secret: true }],
      },
    ],
  ])('is the same: %s', (_what, auth) => {
    expect(authOf(oauthDraftOf(auth))).toEqual(auth)
  })
})

it('is blank, or advanced, by what is filled in', () => {
  expect(oauthDraftOf(undefined)).toBe(emptyOAuth)
  expect([isBlank(emptyOAuth), isBlank(draft({ scopes: 'read' })), isBlank(draft({ clientId: ' ' }))]).toEqual([
    true,
    false,
    true,
  ])
  expect(
    [{ clientId: 'a' }, { pkce: false }, { rest: { dpop: true } }].map((change) => isAdvanced(draft(change))),
  ).toEqual([false, true, true])
})

it('tells what has no field, and of a secret only its name', () => {
  const secrets = [
    { name: 'client_secret', value: 's3cret', secret: true },
    { name: 'id_token', value: 'jwt', secret: true },
  ]
  expect(othersOf(oauthDraftOf({ type: 'oauth', client_id: 'abc', grant: 'enterprise', dpop: true, secrets }))).toEqual(
    [
      { name: 'grant', value: 'enterprise' },
      { name: 'dpop', value: 'true' },
      { name: 'id_token', value: undefined },
    ],
  )
  expect(othersOf(oauthDraftOf({ type: 'oauth' }))).toEqual([])
})

it('reads scopes with commas, spaces and lines between them', () => {
  expect(authOf(draft({ scopes: ' read, write\nadmin ' })).scopes).toEqual(['read', 'write', 'admin'])
})

describe('what is missing', () => {
  const custom = { provider: 'custom', authorizeUrl: 'https://a.test/a' }
  it.each<[string, Partial<OAuthDraft>, boolean, string | undefined]>([
    ['nothing', {}, false, undefined],
    ['nothing of a program that needs no token', {}, true, undefined],
    ['a provider', { clientId: 'a', envTokenVar: 'T' }, true, 'providerMissing'],
    ['a variable', { provider: 'github', clientId: 'a' }, true, 'tokenVarMissing'],
    ['an address', { ...custom, clientId: 'a' }, false, 'customAddresses'],
    ['a client id of a known provider', { provider: 'google' }, false, 'clientIdMissing'],
    ['a client id beside a secret', { clientSecret: 'x' }, false, 'clientIdMissing'],
    ['nothing of another grant', { provider: 'google', rest: { grant: 'workload_identity' } }, false, undefined],
    ['nothing', { ...custom, tokenUrl: 'https://a.test/t', clientId: 'a' }, false, undefined],
  ])('%s', (_what, change, local, fault) => {
    expect(oauthFault(draft(change), local)).toBe(fault)
  })
})
