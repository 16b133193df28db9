import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isLocal, useRowActions } from '@/features/connexions'
import {
  canSignIn,
  OAuthFields,
  Others,
  othersOf,
  SignInPanel,
  subjectOf,
  useServerSignIn,
  type OAuthDraft,
  type OAuthFault,
} from '@/features/signin'
import type { Server } from '@/lib/api'
import { Button, CardList, SectionTitle } from '@/ui'
import { SignedInAs } from './SignedInAs'

export interface SignInSectionProps {
  server: Server
  draft: OAuthDraft
  onDraft: (draft: OAuthDraft) => void
  fault: OAuthFault | undefined
  readOnly: boolean
}

/** Who is signed in to a server that a browser can sign in to, and the client it is done with. */
export function SignInSection({ server, draft, onDraft, fault, readOnly }: SignInSectionProps) {
  const { t } = useTranslation()
  const possible = canSignIn(server)
  const { data } = useServerSignIn(server.id, possible)
  const concerned = server.auth !== undefined || data?.signed !== undefined || server.state === 'needs_sign_in'
  if (!possible || !concerned) return null
  return (
    <>
      <SectionTitle>{t('signIn.section')}</SectionTitle>
      <CardList>
        {data?.signed ? <SignedInAs server={server} signed={data.signed} /> : <NotSignedIn server={server} />}
        {readOnly && othersOf(draft).length > 0 && (
          <Others draft={draft} server={server.id} className="px-3.5 py-2.5" />
        )}
        {!readOnly && (
          <Client draft={draft} onDraft={onDraft} server={server} wrong={fault && t(`wizard.faults.${fault}`)} />
        )}
      </CardList>
    </>
  )
}

/** The page says it above while the server is in need of it. */
function NotSignedIn({ server }: { server: Server }) {
  const { t } = useTranslation()
  const actions = useRowActions()
  return (
    <div className="px-3.5 py-2">
      <div className="flex min-h-8 items-center gap-3">
        <span className="min-w-0 flex-1 text-ink-2">{t('signIn.nobody')}</span>
        {server.state !== 'needs_sign_in' && (
          <Button small icon={LogIn} onClick={() => actions.perform('sign-in', server)}>
            {t('connexions.actions.sign-in')}
          </Button>
        )}
      </div>
      {server.state !== 'needs_sign_in' && <SignInPanel known subject={subjectOf(server)} className="mt-1 mb-1" />}
    </div>
  )
}

interface ClientProps {
  server: Server
  draft: OAuthDraft
  onDraft: (draft: OAuthDraft) => void
  wrong: string | undefined
}

function Client({ server, draft, onDraft, wrong }: ClientProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const known = draft.clientId === '' ? t('signIn.clientByItself') : draft.clientId
  return (
    <div className="px-3.5 py-2">
      <div className="flex min-h-8 items-center gap-3">
        <div className="min-w-0 flex-1">
          <span className="font-medium">{t('signIn.fields.clientId')}</span>{' '}
          <span className={wrong === undefined ? 'text-small text-ink-3' : 'text-small text-danger-text'}>
            {wrong ?? known}
          </span>
        </div>
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'wizard.tokenAuth.hide' : 'wizard.tokenAuth.show')}
        </Button>
      </div>
      {open && (
        <div className="pb-2">
          <OAuthFields
            local={isLocal(server)}
            server={server.id}
            draft={draft}
            onChange={(change) => onDraft({ ...draft, ...change })}
          />
        </div>
      )}
    </div>
  )
}
