import { useState, type Dispatch, type ReactNode } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { isBlank, OAuthFields } from '@/features/signin'
import { Badge, Card, CardList, RadioGroup, RadioRow } from '@/ui'
import { ApiKeyFields, TokenFields } from './AuthFields'
import { isLocal, type AuthKind } from './draft'
import { OAuthSteps } from './OAuthSteps'
import { VariableList } from './VariableList'
import { clientField, type WizardAction, type WizardState } from './wizard'

const kinds: readonly AuthKind[] = ['none', 'bearer', 'api-key', 'headers', 'oauth']

export interface StepProps {
  state: WizardState
  dispatch: Dispatch<WizardAction>
}

/** Step 2: how the server knows the caller. The chosen row opens in place. A local program has nothing here. */
export function AuthStep({ state, dispatch }: StepProps) {
  const { t } = useTranslation()
  const { auth } = state.draft
  if (isLocal(state.draft)) {
    return (
      <Card className="px-3.5 py-3">
        <p>{t('wizard.auth.local')}</p>
      </Card>
    )
  }
  const details: Partial<Record<AuthKind, ReactNode>> = {
    bearer: <TokenFields auth={auth} onChange={(change) => dispatch({ type: 'auth', auth: change })} />,
    'api-key': <ApiKeyFields auth={auth} onChange={(change) => dispatch({ type: 'auth', auth: change })} />,
    headers: (
      <div className="mt-2.5">
        <VariableList list="headers" rows={state.draft.headers} uses={[]} faults={[]} dispatch={dispatch} />
      </div>
    ),
  }
  const oauth = <OAuth state={state} dispatch={dispatch} chosen={auth.kind === 'oauth'} />
  return (
    <RadioGroup
      label={t('wizard.step.auth')}
      value={auth.kind}
      onChange={(kind: AuthKind) => dispatch({ type: 'auth', auth: { kind } })}
    >
      <CardList className="overflow-hidden">
        {kinds.map((kind) => (
          <RadioRow
            key={kind}
            value={kind}
            chosen={auth.kind === kind}
            title={t(`wizard.auth.${kind}.name`)}
            badges={kind === 'oauth' && <Badge tone="accent">{t('wizard.auth.automatic')}</Badge>}
            details={kind === 'oauth' ? oauth : auth.kind === kind && details[kind]}
          >
            <Trans i18nKey={`wizard.auth.${kind}.what`} components={{ code: <code /> }} />
          </RadioRow>
        ))}
      </CardList>
    </RadioGroup>
  )
}

interface OAuthProps extends StepProps {
  /** The row is the chosen one, so that its fields are shown. */
  chosen: boolean
}

/** Explained, not configured: a client of one's own is behind a question. */
function OAuth({ state, dispatch, chosen }: OAuthProps) {
  const { t } = useTranslation()
  const { oauth } = state.draft.auth
  const [open, setOpen] = useState(!isBlank(oauth) || state.focus === clientField)
  const ask = () => {
    if (!chosen) dispatch({ type: 'auth', auth: { kind: 'oauth' } })
    setOpen(!chosen || !open)
  }
  return (
    <>
      <OAuthSteps />
      <p className="mt-2 text-small text-ink-3">
        {t('wizard.auth.oauth.pkce')}{' '}
        <button
          type="button"
          aria-expanded={chosen && open}
          onClick={ask}
          className="rounded-badge text-accent-text underline-offset-2 hover:underline"
        >
          {t('wizard.auth.oauth.client')}
        </button>
      </p>
      {chosen && open && (
        <OAuthFields
          draft={oauth}
          onChange={(change) => dispatch({ type: 'auth', auth: { oauth: { ...oauth, ...change } } })}
        />
      )}
    </>
  )
}
