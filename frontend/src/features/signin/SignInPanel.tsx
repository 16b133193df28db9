import clsx from 'clsx'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '@/features/vocabulary'
import type { SignIn } from '@/lib/api'
import { openOutside } from '@/lib/native'
import { useNow } from '@/lib/useNow'
import { Button, StateWord } from '@/ui'
import { hostOf, isWebAddress, timeLeft, type Attempt, type Subject } from './attempt'
import { ScopeList } from './ScopeList'
import { SignInFailure } from './SignInFailure'
import { useFocusKept } from './useFocusKept'
import { useAttempt, useBeginSignIn, useLeaveSignIn } from './useSignIn'

export interface SignInPanelProps {
  subject: Subject
  /** It is a saved server, of whose sign-in the core knows, wherever it was begun. */
  known?: boolean
  /** Leads to the fields of the Auth step; absent where they are edited in a file. */
  onFields?: (() => void) | undefined
  className?: string
}

/** How the sign-in to a server goes, from the first press to its end; nothing while there is none. */
export function SignInPanel({ subject, known = false, onFields, className }: SignInPanelProps) {
  const { t } = useTranslation()
  const attempt = useAttempt(subject.key, known)
  const begin = useBeginSignIn()
  const leave = useLeaveSignIn()
  const shown = attempt === null || attempt.is === 'done' ? undefined : attempt
  const panel = useFocusKept(shown)
  if (shown === undefined) return null
  const failed = shown.is === 'failed'
  const close = () => {
    panel.current?.closest<HTMLElement>('[data-row]')?.focus()
    leave(subject.key, attempt)
  }
  return (
    <div
      ref={panel}
      role="group"
      tabIndex={-1}
      data-details
      aria-label={t('signIn.to', { name: subject.name })}
      className={clsx(
        'animate-fade rounded-[9px] border bg-surface px-3.5 py-2.5 text-left text-small',
        failed ? 'border-danger-line' : 'border-attn-line',
        className,
      )}
    >
      {failed ? (
        <SignInFailure error={shown.error} onRetry={() => begin(subject)} onFields={onFields} onClose={close} />
      ) : (
        <Waiting attempt={shown} onCancel={close} />
      )}
    </div>
  )
}

interface WaitingProps {
  attempt: Exclude<Attempt, { is: 'failed' | 'done' }>
  onCancel: () => void
}

function Waiting({ attempt, onCancel }: WaitingProps) {
  const { t } = useTranslation()
  if (attempt.is === 'preparing') {
    return (
      <div className="flex items-center gap-3">
        <div role="status" className="min-w-0 flex-1">
          <StateWord shape="running" tone="accent">
            {t('signIn.preparing')}
          </StateWord>
        </div>
        <Button small look="ghost" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      </div>
    )
  }
  const { signIn, blocked } = attempt
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div role="status" className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-x-3">
          <StateWord shape="signin" tone="attn">
            {t(blocked ? 'signIn.blocked' : 'signIn.waiting')}
          </StateWord>
          <span className="text-ink-2">
            {t(blocked ? 'signIn.blockedMore' : 'signIn.waitingMore', { host: hostOf(signIn.issuer ?? '') })}
          </span>
        </div>
        <TimeLeft endsAt={signIn.ends_at} />
      </div>
      {signIn.scopes && signIn.scopes.length > 0 && (
        <p className="mt-1 text-ink-2">
          {t('signIn.asks')} <ScopeList scopes={signIn.scopes} />
        </p>
      )}
      <Ways signIn={signIn} blocked={blocked} onCancel={onCancel} />
    </>
  )
}

interface WaysProps {
  signIn: SignIn
  blocked: boolean
  onCancel: () => void
}

function Ways({ signIn: { authorize_url: url }, blocked, onCancel }: WaysProps) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {isWebAddress(url) && (
        <>
          <Button small look={blocked ? 'primary' : 'plain'} icon={ExternalLink} onClick={() => openOutside(url)}>
            {t(blocked ? 'signIn.open' : 'signIn.again')}
          </Button>
          <Button small look="ghost" onClick={() => copy(url)}>
            {t('signIn.copyLink')}
          </Button>
        </>
      )}
      <Button small look="ghost" onClick={onCancel}>
        {t('common.cancel')}
      </Button>
    </div>
  )
}

function TimeLeft({ endsAt }: { endsAt: string | undefined }) {
  const { t } = useTranslation()
  const left = timeLeft(endsAt, useNow(1000))
  if (left === undefined) return null
  return (
    <span role="timer" className="text-ink-3 tabular-nums">
      {t('signIn.left', { time: left })}
    </span>
  )
}
