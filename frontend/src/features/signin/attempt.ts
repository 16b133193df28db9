// What a person is told of a sign-in, and what is to do when it fails.
import type { Failure, Server, SignIn, SignInState, SignInWish } from '@/lib/api'

/** What is signed in to. */
export interface Subject {
  /** What the attempt is remembered under: the id of a saved server, or a name of its own for a draft. */
  key: string
  /** What people call it. */
  name: string
  wish: SignInWish
}

export const subjectOf = ({ id, name }: Pick<Server, 'id' | 'name'>): Subject => ({
  key: id,
  name,
  wish: { server_id: id },
})

export type Attempt =
  /** The core asks the server whom to sign in to. */
  | { is: 'preparing' }
  /** A person is waited for; blocked when the browser did not let the page open. */
  | { is: 'waiting'; signIn: SignIn; blocked: boolean; elsewhere?: true }
  | { is: 'failed'; error: Failure }
  /** at is when, in milliseconds since 1970: what failed before may pass now. */
  | { is: 'done'; at: number }

/** An attempt of this window goes before one that was begun elsewhere, of which the core tells. */
export function shownAttempt(own: Attempt | null, known: SignInState | undefined): Attempt | null {
  const waiting = known?.waiting
  if (waiting === undefined) return own
  if (own === null || own.is === 'done') return { is: 'waiting', signIn: waiting, blocked: false, elsewhere: true }
  return own
}

/** Whether pressing "Sign in" again would begin a second one. */
export const isSigningIn = (attempt: Attempt | null) => attempt?.is === 'preparing' || attempt?.is === 'waiting'

/** What an ended sign-in came to. */
export const endOf = ({ error }: SignIn, now = Date.now()): Attempt =>
  error ? { is: 'failed', error } : { is: 'done', at: now }

/** Only pages of the web are opened: the address comes from a server. */
export const isWebAddress = (url: string | undefined): url is string => /^https?:\/\//i.test(url ?? '')

/** The time left, as minutes and seconds: "4:05"; undefined when the end is not known. */
export function timeLeft(endsAt: string | undefined, now: Date): string | undefined {
  if (endsAt === undefined) return undefined
  const seconds = Math.max(0, Math.ceil((new Date(endsAt).getTime() - now.getTime()) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The host of an address, for a sentence; the text itself when it is none. */
export const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : address)

/** What helps after a failure, the likeliest first. */
export type NextStep = 'port' | 'fields' | 'retry'

export function nextStepsOf({ code }: Pick<Failure, 'code'>): NextStep[] {
  if (code === 'callback_port_busy') return ['port', 'retry']
  if (code === 'client_id_needed') return ['fields', 'retry']
  return code === 'config_invalid' ? ['fields'] : ['retry']
}

/** Whether what failed may pass once a person has signed in. */
export const wantsSignIn = (failure: Pick<Failure, 'code'> | undefined) =>
  failure?.code === 'sign_in_needed' || failure?.code === moreRights

/** The server took the token, which may not do what was asked. */
const moreRights = 'more_rights_needed'

/** Whether a server waits for a sign-in, or works and lacks the rights that one more would give. */
export const lacksSignIn = ({ state, reason }: Pick<Server, 'state' | 'reason'>) =>
  state === 'needs_sign_in' || (state === 'degraded' && reason?.code === moreRights)

/** Whether a browser can give what the server wants: it has no key of its own that was refused. */
export function canSignIn({ transport, auth, headers = [] }: Pick<Server, 'transport' | 'auth' | 'headers'>): boolean {
  if (auth) return true
  const hasKey = headers.some(({ name, secret }) => secret === true || name.toLowerCase() === 'authorization')
  return transport !== 'stdio' && !hasKey
}
