// The fields of a sign-in while they are edited, and the part of a definition that they make.
import type { Auth, Variable } from '@/lib/api'
import { hasReference } from '@/lib/reference'

/** The sign-in servers whose addresses the core knows, and one of the person's own. */
export const providers = ['google', 'github', 'slack', 'slack_user', 'microsoft', 'notion', 'custom'] as const

export interface OAuthDraft {
  /** Empty when the server names its own. */
  provider: string
  tenant: string
  clientId: string
  clientSecret: string
  /** As typed, with spaces between them. */
  scopes: string
  authorizeUrl: string
  tokenUrl: string
  redirectUri: string
  pkce: boolean
  /** The variable of a local program that takes the token. */
  envTokenVar: string
  /** What has no field here and stays as it is. */
  rest: Partial<Auth>
}

export const emptyOAuth: OAuthDraft = {
  provider: '',
  tenant: '',
  clientId: '',
  clientSecret: '',
  scopes: '',
  authorizeUrl: '',
  tokenUrl: '',
  redirectUri: '',
  pkce: true,
  envTokenVar: '',
  rest: {},
}

const secretName = 'client_secret'

/** Puts what a definition says into the fields. */
export function oauthDraftOf(auth: Auth | undefined): OAuthDraft {
  if (!auth) return emptyOAuth
  const {
    provider,
    tenant,
    client_id,
    scopes,
    authorize_url,
    token_url,
    redirect_uri,
    pkce,
    env_token_var,
    ...others
  } = auth
  const { secrets = [], ...rest } = others
  const kept = secrets.filter(({ name }) => name !== secretName)
  return {
    provider: provider ?? '',
    tenant: tenant ?? '',
    clientId: client_id ?? '',
    clientSecret: secrets.find(({ name }) => name === secretName)?.value ?? '',
    scopes: (scopes ?? []).join(' '),
    authorizeUrl: authorize_url ?? '',
    tokenUrl: token_url ?? '',
    redirectUri: redirect_uri ?? '',
    pkce: pkce ?? true,
    envTokenVar: env_token_var ?? '',
    rest: kept.length > 0 ? { ...rest, secrets: kept } : rest,
  }
}

/** What the fields spell; with nothing filled in, everything is discovered. */
export function authOf(draft: OAuthDraft): Auth {
  const { secrets: kept = [], ...rest } = draft.rest
  const scopes = draft.scopes.split(/[\s,]+/).filter((scope) => scope !== '')
  const secrets = [...secretOf(draft.clientSecret.trim()), ...kept]
  const texts = {
    provider: draft.provider,
    tenant: draft.tenant.trim(),
    client_id: draft.clientId.trim(),
    authorize_url: draft.authorizeUrl.trim(),
    token_url: draft.tokenUrl.trim(),
    redirect_uri: draft.redirectUri.trim(),
    env_token_var: draft.envTokenVar.trim(),
  }
  return {
    type: 'oauth',
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    ...(scopes.length > 0 ? { scopes } : {}),
    ...(draft.pkce ? {} : { pkce: false }),
    ...rest,
    ...(secrets.length > 0 ? { secrets } : {}),
  }
}

function secretOf(value: string): Variable[] {
  if (value === '') return []
  return [hasReference(value) ? { name: secretName, value } : { name: secretName, value, secret: true }]
}

/** Whether nothing is filled in. */
export const isBlank = (draft: OAuthDraft) => Object.keys(authOf(draft)).length === 1

/** One part of a sign-in that has no field; the value of a secret is not shown. */
export interface Other {
  name: string
  value: string | undefined
}

/** What stays as it is, such as another grant, in the words of config.toml. */
export function othersOf({ rest: { secrets = [], ...rest } }: OAuthDraft): Other[] {
  return [
    ...Object.entries(rest)
      .filter(([name]) => name !== 'type')
      .map(([name, value]) => ({ name, value: String(value) })),
    ...secrets.map(({ name }) => ({ name, value: undefined })),
  ]
}

/** Whether a person signs in, in a browser. */
export const needsPerson = ({ rest: { grant } }: OAuthDraft) => grant === undefined || grant === 'authorization_code'

/** Whether something stands in what is folded away. */
export const isAdvanced = (draft: OAuthDraft) =>
  draft.provider !== '' || draft.tenant !== '' || draft.redirectUri !== '' || !draft.pkce || othersOf(draft).length > 0

export type OAuthFault = 'providerMissing' | 'tokenVarMissing' | 'customAddresses' | 'clientIdMissing'

/** What a sign-in misses; a local program cannot say where to sign in. */
export function oauthFault(draft: OAuthDraft, local: boolean): OAuthFault | undefined {
  if (local && isBlank(draft)) return undefined
  if (local && draft.provider === '') return 'providerMissing'
  if (local && draft.envTokenVar.trim() === '') return 'tokenVarMissing'
  const addresses = [draft.authorizeUrl, draft.tokenUrl].every((address) => address.trim() !== '')
  if (draft.provider === 'custom' && !addresses) return 'customAddresses'
  const named = draft.provider !== '' || draft.clientSecret.trim() !== ''
  return named && draft.clientId.trim() === '' && needsPerson(draft) ? 'clientIdMissing' : undefined
}
