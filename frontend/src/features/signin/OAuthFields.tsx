import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useState, type HTMLInputTypeAttribute } from 'react'
import { useTranslation } from 'react-i18next'
import { useSettings } from '@/features/program'
import { isKept } from '@/lib/reference'
import { Checkbox, Field, Icon, SecretInput, Select, TextInput } from '@/ui'
import { isAdvanced, needsPerson, providers, type OAuthDraft } from './oauthDraft'
import { Others } from './Others'
import { RedirectAddress } from './RedirectAddress'

export interface OAuthFieldsProps {
  draft: OAuthDraft
  onChange: (change: Partial<OAuthDraft>) => void
  /** The token goes to a local program, into a variable. */
  local?: boolean
  /** The id of the server; absent for one that was never saved. */
  server?: string | undefined
}

/** The client that a person registered, and what rarely has to be said. */
export function OAuthFields({ draft, onChange, local = false, server }: OAuthFieldsProps) {
  const back = useRedirectUri(draft)
  const row = 'mt-2.5 grid grid-cols-2 gap-3 max-sm:grid-cols-1'
  const part = { draft, onChange }
  return (
    <>
      {local && (
        <div className={row}>
          <Provider {...part} local />
          <Text {...part} name="envTokenVar" code="env_token_var" placeholder="GITHUB_TOKEN" />
          <OfProvider {...part} />
        </div>
      )}
      <div className={row}>
        <Text {...part} name="clientId" code="client_id" />
        <Secret {...part} />
      </div>
      {back !== undefined && <RedirectAddress address={back} />}
      <Text {...part} name="scopes" code="scopes" placeholder="read write" className="mt-2.5" />
      <Rarely {...part} local={local} row={row} server={server} />
    </>
  )
}

type PartProps = Pick<OAuthFieldsProps, 'draft' | 'onChange'>

/** Where the answer of a sign-in comes back to; undefined where none does, and until that is known. */
function useRedirectUri(draft: OAuthDraft): string | undefined {
  const port = useSettings().data?.find(({ key }) => key === 'oauth.callback_port')?.value
  if (!needsPerson(draft)) return undefined
  if (draft.redirectUri.trim() !== '') return draft.redirectUri.trim()
  return port === undefined ? undefined : `http://127.0.0.1:${port}/callback`
}

interface RarelyProps extends PartProps {
  local: boolean
  server: string | undefined
  row: string
}

/** Folded, and open by itself when something in it is not the default. */
function Rarely({ draft, onChange, local, row, server }: RarelyProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(isAdvanced({ ...draft, provider: local ? '' : draft.provider }))
  const part = { draft, onChange }
  return (
    <div className="mt-2.5">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-1.5 rounded-badge text-small font-medium text-ink-2"
      >
        <Icon of={ChevronDown} size={14} className={clsx('text-ink-3 transition-transform', !open && '-rotate-90')} />
        {t('signIn.fields.advanced')}
      </button>
      {open && (
        <>
          <div className={row}>
            {!local && <Provider {...part} />}
            {!local && <OfProvider {...part} />}
            <Text
              {...part}
              name="redirectUri"
              code="redirect_uri"
              placeholder="http://127.0.0.1:8913/callback"
              type="url"
            />
            <Checkbox on={draft.pkce} onChange={(pkce) => onChange({ pkce })} className="self-center text-small">
              {t('signIn.fields.pkce')}
            </Checkbox>
          </div>
          <Others draft={draft} server={server} className="mt-2.5" />
        </>
      )}
    </div>
  )
}

const discovered = 'discovered'

/** A local program cannot announce one. */
function Provider({ draft, onChange, local = false }: PartProps & { local?: boolean }) {
  const { t } = useTranslation()
  const names = [discovered, ...providers] as const
  const value = names.find((name) => name === draft.provider) ?? discovered
  return (
    <Field
      label={t('signIn.fields.provider')}
      code="provider"
      help={t(local ? 'signIn.fields.providerLocalHelp' : 'signIn.fields.providerHelp')}
    >
      {(control) => (
        <Select
          {...control}
          label={t('signIn.fields.provider')}
          value={value}
          onChange={(name) => onChange({ provider: name === discovered ? '' : name })}
          options={names.map((name) => ({
            value: name,
            label: t(`signIn.providers.${local && name === discovered ? 'none' : name}`),
          }))}
        />
      )}
    </Field>
  )
}

/** What only one provider asks for. */
function OfProvider({ draft, onChange }: PartProps) {
  const part = { draft, onChange }
  if (draft.provider === 'microsoft') return <Text {...part} name="tenant" code="tenant" placeholder="common" />
  if (draft.provider !== 'custom') return null
  return (
    <>
      <Text {...part} name="authorizeUrl" code="authorize_url" placeholder="https://…/authorize" type="url" />
      <Text {...part} name="tokenUrl" code="token_url" placeholder="https://…/token" type="url" />
    </>
  )
}

interface TextProps extends PartProps {
  name: 'clientId' | 'scopes' | 'tenant' | 'authorizeUrl' | 'tokenUrl' | 'redirectUri' | 'envTokenVar'
  code: string
  placeholder?: string
  type?: HTMLInputTypeAttribute
  className?: string
}

function Text({ draft, onChange, name, code, placeholder = '', type = 'text', className }: TextProps) {
  const { t } = useTranslation()
  return (
    <Field
      label={t(`signIn.fields.${name}`)}
      code={code}
      help={t(`signIn.fields.${name}Help`)}
      {...(className === undefined ? {} : { className })}
    >
      {(control) => (
        <TextInput
          {...control}
          code
          data-field={`auth.${code}`}
          inputMode={type === 'url' ? 'url' : 'text'}
          value={draft[name]}
          placeholder={placeholder}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      )}
    </Field>
  )
}

function Secret({ draft, onChange }: PartProps) {
  const { t } = useTranslation()
  const kept = isKept(draft.clientSecret)
  return (
    <Field label={t('signIn.fields.clientSecret')} code="client_secret" help={t('signIn.fields.clientSecretHelp')}>
      {(control) => (
        <SecretInput
          {...control}
          data-field="auth.client_secret"
          value={kept ? '' : draft.clientSecret}
          placeholder={kept ? t('wizard.secret.kept') : ''}
          onChange={(clientSecret) => onChange({ clientSecret })}
          showLabel={t('wizard.secret.show')}
        />
      )}
    </Field>
  )
}
