import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, SecretInput, Segmented, TextInput } from '@/ui'
import type { AuthDraft } from './draft'
import { hasReference, isKept } from './secrets'
import { Sent } from './Sent'

export interface AuthFieldsProps {
  auth: AuthDraft
  onChange: (change: Partial<AuthDraft>) => void
}

/** A bearer token: typed here, or a variable read again at each connection. */
export function TokenFields({ auth, onChange }: AuthFieldsProps) {
  return (
    <>
      <SecretFields word="token" value={auth.token} onChange={(token) => onChange({ token })} />
      <Sent name="Authorization" value={auth.token === '' ? '' : `Bearer ${auth.token}`} />
    </>
  )
}

/** A key in a header whose name can be changed. */
export function ApiKeyFields({ auth, onChange }: AuthFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Field label={t('wizard.auth.keyName')} className="mt-2.5 max-w-[240px]">
        {(control) => (
          <TextInput
            {...control}
            code
            value={auth.keyName}
            onChange={(event) => onChange({ keyName: event.target.value })}
          />
        )}
      </Field>
      <SecretFields word="key" value={auth.keyValue} onChange={(keyValue) => onChange({ keyValue })} />
      <Sent name={auth.keyName} value={auth.keyValue} />
    </>
  )
}

interface SecretFieldsProps {
  word: 'token' | 'key'
  value: string
  onChange: (value: string) => void
}

function SecretFields({ word, value, onChange }: SecretFieldsProps) {
  const { t } = useTranslation()
  const [variable, setVariable] = useState(hasReference(value) && !isKept(value))
  const turn = (to: 'typed' | 'variable') => {
    setVariable(to === 'variable')
    onChange(to === 'variable' ? '${}' : '')
  }
  const kept = isKept(value)
  return (
    <div className="mt-2.5 grid grid-cols-[1.35fr_1fr] gap-3 max-sm:grid-cols-1">
      <Field
        label={t(`wizard.auth.${word}`)}
        required={t('common.required')}
        help={t(variable ? 'wizard.auth.variableHelp' : kept ? 'wizard.auth.keptHelp' : 'wizard.auth.secretHelp')}
      >
        {(control) =>
          variable ? (
            <TextInput
              {...control}
              code
              data-field="auth"
              value={value}
              placeholder="${TOKEN}"
              onChange={(event) => onChange(event.target.value)}
            />
          ) : (
            <SecretInput
              {...control}
              data-field="auth"
              value={kept ? '' : value}
              placeholder={kept ? t('wizard.secret.kept') : ''}
              onChange={onChange}
              showLabel={t('wizard.secret.show')}
            />
          )
        }
      </Field>
      <div>
        <div className="mb-1 text-small font-medium">{t('wizard.auth.from')}</div>
        <Segmented
          wide
          label={t('wizard.auth.from')}
          value={variable ? 'variable' : 'typed'}
          onChange={turn}
          segments={[
            { value: 'typed', label: t('wizard.auth.typed') },
            { value: 'variable', label: t('wizard.auth.variable') },
          ]}
        />
        <div className="mt-1 text-caption text-ink-3">{t('wizard.auth.fromHelp')}</div>
      </div>
    </div>
  )
}
