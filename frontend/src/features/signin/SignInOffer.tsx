import { LogIn } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, StateWord } from '@/ui'
import { isSigningIn, type Subject } from './attempt'
import { SignInPanel } from './SignInPanel'
import { useAttempt, useBeginSignIn } from './useSignIn'

export interface SignInOfferProps {
  subject: Subject
  name: string
  onFields: () => void
}

/** Signs in where something failed for want of it, and says when that can be tried again. */
export function SignInOffer({ subject, name, onFields }: SignInOfferProps) {
  const { t } = useTranslation()
  const attempt = useAttempt(subject.key, true)
  const begin = useBeginSignIn()
  if (attempt?.is === 'done') {
    return (
      <div role="status" className="px-3.5 pb-3.5">
        <StateWord shape="done" tone="ok">
          {t('signIn.doneCallAgain')}
        </StateWord>
      </div>
    )
  }
  return (
    <div className="px-3.5 pb-3.5">
      {!isSigningIn(attempt) && attempt?.is !== 'failed' && (
        <Button small icon={LogIn} onClick={() => begin(subject)}>
          {t('connexions.actions.sign-in')}
        </Button>
      )}
      <SignInPanel known subject={subject} name={name} onFields={onFields} />
    </div>
  )
}
