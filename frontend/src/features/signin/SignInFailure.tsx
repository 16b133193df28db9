import { useNavigate } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCopy, useFailureWords } from '@/features/vocabulary'
import type { Failure } from '@/lib/api'
import { Button, IconButton, StateWord } from '@/ui'
import { nextStepsOf, type NextStep } from './attempt'

export interface SignInFailureProps {
  error: Failure
  onRetry: () => void
  onFields: (() => void) | undefined
  onClose: () => void
}

/** Why nobody is signed in, and what leads on. */
export function SignInFailure({ error, onRetry, onFields, onClose }: SignInFailureProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const words = useFailureWords()(error)
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

/** What the person has to register at the sign-in server, byte for byte. */
function RedirectAddress({ address }: { address: string }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <div className="mt-2 flex min-h-[34px] items-center gap-2.5 rounded-control border border-line-subtle bg-sunken pr-1 pl-2.5">
      <span className="flex-none text-caption text-ink-3">{t('signIn.redirect')}</span>
      <code className="min-w-0 flex-1 break-all">{address}</code>
      <IconButton icon={Copy} size={14} label={t('signIn.copyRedirect')} onClick={() => copy(address)} />
    </div>
  )
}
