import { path, query, request } from './client'
import type { Definition, SignIn, SignInState } from './types'

/** What to sign in to: a saved server, or a draft with the server that it is an edit or a copy of. */
export interface SignInWish {
  server_id?: string | undefined
  definition?: Definition | undefined
  from?: string | undefined
  /** Of the page at the end. */
  language?: string
}

/** Prepares a sign-in. Its answer runs when a person is needed, and then names the address to open. */
export const beginSignIn = (wish: SignInWish) => request<SignIn>('POST', '/api/sign-ins', wish)

/** A sign-in, running or ended; the request stays up to so many milliseconds for its end. */
export const getSignIn = (id: string, stay: number) =>
  request<SignIn>('GET', path`/api/sign-ins/${id}` + query({ wait_ms: stay }))

export const cancelSignIn = (id: string) => request<unknown>('DELETE', path`/api/sign-ins/${id}`)

export const getServerSignIn = (serverId: string, signal?: AbortSignal) =>
  request<SignInState>('GET', path`/api/servers/${serverId}/sign-in`, undefined, signal)

/** Revokes and forgets the tokens of a server. */
export const signOut = (serverId: string) => request<unknown>('POST', path`/api/servers/${serverId}/sign-out`)
