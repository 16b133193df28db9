import { LogIn } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, StateWord } from '@/ui'
import { isSigningIn, type Subject } from './attempt'
import { SignInPanel } from './SignInPanel'
import { useAttempt, useBeginSignIn } from './useSignIn'

export interface SignInOfferProps {
  subject: Subject
  /** When it failed, in milliseconds since 1970: an earlier sign-in is no answer to it. */
  since: number
  /** The page offers the sign-in already, where it says how the server is. */
  elsewhere: boolean
  onFields: () => void
}

/** Signs in where something failed for want of it, and says when that can be tried again. */
export function SignInOffer({ subject, since, elsewhere, onFields }: SignInOfferProps) {
  const { t } = useTranslation()
  const attempt = useAttempt(subject.key)
  const begin = useBeginSignIn()
  if (attempt?.is === 'done' && attempt.at >= since) {
    return (
      <div role="status" className="px-3.5 pb-3.5">
        <StateWord shape="done" tone="ok">
          {t('signIn.doneCallAgain')}
        </StateWord>
      </div>
    )
  }
  if (elsewhere) return null
  return (
    <div className="px-3.5 pb-3.5">
      {!isSigningIn(attempt) && attempt?.is !== 'failed' && (
        <Button small icon={LogIn} onClick={() => begin(subject)}>
          {t('connexions.actions.sign-in')}
        </Button>
      )}
      <SignInPanel subject={subject} onFields={onFields} />
    </div>
  )
}
