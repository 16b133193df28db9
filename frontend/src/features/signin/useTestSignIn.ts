import { useEffect, useRef } from 'react'
import type { SignInWish } from '@/lib/api'
import { isSigningIn, type Subject } from './attempt'
import { useAttempt, useBeginSignIn, useLeaveSignIn } from './useSignIn'

export interface TestSignIn {
  subject: Subject
  /** A person is waited for. */
  running: boolean
  /** Its panel shows how it went, with the way to try again. */
  failed: boolean
  begin: () => void
}

/** Signs in to what a test wanted a sign-in for. onDone is called once that is done; leaving the page gives it up. */
export function useTestSignIn(
  testId: string | undefined,
  name: string,
  wish: SignInWish,
  onDone: () => void,
): TestSignIn {
  const subject: Subject = { key: `test:${testId ?? ''}`, name, wish }
  const attempt = useAttempt(subject.key)
  const begin = useBeginSignIn()
  const leave = useLeaveSignIn()
  const onLeft = useRef<() => void>(undefined)
  const done = testId !== undefined && attempt?.is === 'done'
  useEffect(() => {
    if (done) onDone()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- it is done once, whatever the callback is by then
  }, [done])
  useEffect(() => {
    onLeft.current = () => {
      if (isSigningIn(attempt)) leave(subject.key, attempt)
    }
  })
  useEffect(() => () => onLeft.current?.(), [])
  return { subject, running: isSigningIn(attempt), failed: attempt?.is === 'failed', begin: () => begin(subject) }
}
