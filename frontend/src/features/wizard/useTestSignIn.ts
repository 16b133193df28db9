import { useEffect, useRef } from 'react'
import { isSigningIn, useAttempt, useBeginSignIn, useLeaveSignIn, type Subject } from '@/features/signin'
import type { SignInWish } from '@/lib/api'

export interface TestSignIn {
  subject: Subject
  /** A person is waited for. */
  running: boolean
  begin: () => void
}

/** Signs in to what a test wanted a sign-in for. onDone is called once that is done; leaving the page gives it up. */
export function useTestSignIn(testId: string | undefined, wish: SignInWish, onDone: () => void): TestSignIn {
  const subject: Subject = { key: `test:${testId ?? ''}`, wish }
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
  return { subject, running: isSigningIn(attempt), begin: () => begin(subject) }
}
