import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import type { Failure } from '@/lib/api'
import { Button, StateWord } from '@/ui'
import { hostOf, nextStepsOf, type NextStep } from './attempt'
import { RedirectAddress } from './RedirectAddress'

export interface SignInFailureProps {
  error: Failure
  onRetry: () => void
  onFields: (() => void) | undefined
  onClose: () => void
}

/** A person knows the sign-in server by its host, as where the sign-in waits; its own words end inside of our sentence. */
function inWords({ args = {}, ...error }: Failure): Failure {
  const { issuer, description, ...others } = args
  return {
    ...error,
    args: {
      ...others,
      ...(issuer ? { issuer: hostOf(issuer) } : {}),
      ...(description ? { description: description.replace(/\.+$/, '') } : {}),
    },
  }
}

/** Why nobody is signed in, and what leads on. */
export function SignInFailure({ error, onRetry, onFields, onClose }: SignInFailureProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const words = useFailureWords()(inWords(error))
  // Elsewhere that failure is one of a file; here the way on is a button.
  const fix = error.code === 'config_invalid' ? '' : words.fix
  const redirect = error.code === 'client_id_needed' ? error.args?.redirect_uri : undefined
  const ways: Record<NextStep, (() => void) | undefined> = {
    port: () => void navigate({ to: '/settings', search: { row: 'oauth.callback_port' } }),
    fields: onFields,
    retry: onRetry,
  }
  const steps = nextStepsOf(error).filter((step) => ways[step] !== undefined)
  return (
    <>
      <div role="alert">
        <StateWord shape="stopped" tone="danger">
          {t('signIn.failed')}
        </StateWord>
        <p className="mt-1 text-ink-2">
          {words.what} {fix}
        </p>
      </div>
      {redirect && <RedirectAddress address={redirect} />}
      <div className="mt-2 flex flex-wrap gap-2">
        {steps.map((step, n) => (
          <Button key={step} small look={n === 0 ? 'plain' : 'ghost'} onClick={() => ways[step]?.()}>
            {t(`signIn.next.${step}`)}
          </Button>
        ))}
        <Button small look="ghost" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </>
  )
}
