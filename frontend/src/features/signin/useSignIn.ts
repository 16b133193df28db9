import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  ApiError,
  beginSignIn,
  cancelSignIn,
  getServerSignIn,
  getSignIn,
  isUnreachable,
  signOut,
  type Failure,
  type SignIn,
} from '@/lib/api'
import { useLang } from '@/lib/i18n'
import { takeTab, type Tab } from '@/lib/native'
import { useToast } from '@/ui'
import { endOf, isSigningIn, isWebAddress, shownAttempt, type Attempt, type Subject } from './attempt'

/** Milliseconds that one request stays for the end of a sign-in, and that pass before the next one. */
const STAY = 5000
const PAUSE = 250

const attemptKey = (key: string) => ['signing-in', key]

/** Begins sign-ins. Call it while a person presses: it takes the one tab that the sign-in needs. */
export function useBeginSignIn(): (subject: Subject) => void {
  const { t } = useTranslation()
  const language = useLang()
  const client = useQueryClient()
  const toast = useToast()
  return (subject) => {
    if (isSigningIn(client.getQueryData<Attempt | null>(attemptKey(subject.key)) ?? null)) return
    const tab = takeTab(t('signIn.preparing'))
    void pursue(client, { ...subject, wish: { ...subject.wish, language } }, tab).then((done) => {
      if (done) toast({ tone: 'ok', text: t('signIn.done', { name: subject.name }) })
    })
  }
}

/** Sees a sign-in through to its end, whatever page is open, and says whether that is a good one. */
async function pursue(client: QueryClient, { key, wish }: Subject, tab: Tab): Promise<boolean> {
  const show = (attempt: Attempt) => client.setQueryData<Attempt | null>(attemptKey(key), attempt)
  const shown = () => client.getQueryData<Attempt | null>(attemptKey(key)) ?? null
  show({ is: 'preparing' })
  try {
    const signIn = await beginSignIn(wish)
    if (shown() === null) {
      giveUp(signIn, tab)
      return false
    }
    if (signIn.running) show({ is: 'waiting', signIn, blocked: !openIn(tab, signIn) })
    else tab.close() // nobody is needed
    const ended = await endedOf(signIn)
    const now = shown()
    const mine = now?.is !== 'waiting' || now.signIn.id === ended.id
    if (now !== null && mine) show(endOf(ended))
  } catch (error) {
    if (shown()?.is === 'preparing') tab.close()
    show({ is: 'failed', error: failureOf(error) })
  }
  void client.invalidateQueries({ queryKey: ['servers'] })
  return shown()?.is === 'done'
}

function giveUp({ id, running }: SignIn, tab: Tab): void {
  tab.close()
  if (running) void cancelSignIn(id)
}

function openIn(tab: Tab, { id, authorize_url: url }: SignIn): boolean {
  if (isWebAddress(url)) return tab.go(url)
  void cancelSignIn(id)
  throw new ApiError({ code: 'sign_in_refused', message: 'The sign-in names no page.' }, 0)
}

async function endedOf(begun: SignIn): Promise<SignIn> {
  let now = begun
  while (now.running) {
    await new Promise((go) => setTimeout(go, PAUSE))
    now = await getSignIn(begun.id, STAY).catch((error: unknown) => {
      if (isUnreachable(error) && Date.now() < endTime(begun)) return now
      throw error
    })
  }
  return now
}

const endTime = ({ ends_at }: SignIn) => (ends_at === undefined ? 0 : new Date(ends_at).getTime())

function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return { code: error.code, message: error.message, args: error.args }
  return { code: 'internal', message: String(error) }
}

/** The attempt to sign in, as this window or the core knows it; null when there is none. */
export function useAttempt(key: string, known = false): Attempt | null {
  const own = useQuery<Attempt | null>({
    queryKey: attemptKey(key),
    queryFn: () => null,
    enabled: false,
    initialData: null,
    gcTime: Infinity,
  })
  const { data } = useServerSignIn(key, known)
  return shownAttempt(own.data, data)
}

/** What the core knows of the sign-in of a saved server. */
export const useServerSignIn = (serverId: string, enabled = true) =>
  useQuery({
    queryKey: ['servers', serverId, 'sign-in'],
    queryFn: ({ signal }) => getServerSignIn(serverId, signal),
    enabled,
  })

/** Gives up what is under way, and forgets how the last attempt ended. */
export function useLeaveSignIn(): (key: string, attempt: Attempt | null) => void {
  const client = useQueryClient()
  return (key, attempt) => {
    client.setQueryData<Attempt | null>(attemptKey(key), null)
    if (attempt?.is !== 'waiting') return
    const again = () => client.invalidateQueries({ queryKey: ['servers', key, 'sign-in'] })
    void cancelSignIn(attempt.signIn.id).then(again, again)
  }
}

/** Revokes and forgets the tokens of a server. */
export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: signOut,
    onSuccess: (_done, serverId) => {
      client.setQueryData<Attempt | null>(attemptKey(serverId), null)
      return client.invalidateQueries({ queryKey: ['servers'] })
    },
  })
}
