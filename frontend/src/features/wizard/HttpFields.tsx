import { Globe, Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge, Field, IconButton, TextInput } from '@/ui'
import { authHeader } from './draft'
import { usesOf } from './faults'
import { hasReference } from './secrets'
import { Mask } from './Sent'
import { Help, ListHead, NameField, rowFault, type FieldsProps } from './StdioFields'
import { VariableList } from './VariableList'

/** A remote server: its address and its headers. The header of the Auth step is locked and links back. */
export function HttpFields(props: FieldsProps) {
  const { state, dispatch, check, faults, fault } = props
  const { t } = useTranslation()
  const secure = state.draft.url.startsWith('https:')
  return (
    <>
      <div className="grid grid-cols-[1fr_1.9fr] gap-3 max-sm:grid-cols-1">
        <NameField {...props} />
        <Field
          label={t('wizard.url')}
          code="url"
          required={t('common.required')}
          className="mb-3"
          error={fault('url')}
          help={t(secure ? 'wizard.urlHelpSecure' : 'wizard.urlHelp')}
        >
          {(control) => (
            <TextInput
              {...control}
              code
              data-field="url"
              inputMode="url"
              icon={secure ? Lock : Globe}
              value={state.draft.url}
              placeholder={state.draft.transport === 'sse' ? 'https://…/sse' : 'https://…/mcp'}
              onChange={(event) => dispatch({ type: 'edit', change: { url: event.target.value } })}
            />
          )}
        </Field>
      </div>
      <section className="mb-3">
        <ListHead title={t('wizard.headers.title')} code="headers" />
        <VariableList
          list="headers"
          rows={state.draft.headers}
          uses={usesOf(check?.variables ?? [], state.draft)}
          faults={faults}
          dispatch={dispatch}
          before={<AuthRow {...props} />}
        />
        <Help error={rowFault(faults, fault, 'headers') ?? fault('auth')}>{t('wizard.headers.help')}</Help>
      </section>
    </>
  )
}

function AuthRow({ state, dispatch, faults }: FieldsProps) {
  const { t } = useTranslation()
  const header = authHeader(state.draft)
  if (!header) return null
  const [, scheme = '', secret = ''] = /^(Bearer )?(.*)$/s.exec(header.value) ?? []
  const bad = faults.some(({ field }) => field === 'auth')
  return (
    <div
      className={`flex h-[31px] items-center gap-2 pr-0.5 pl-2.5 ${bad ? 'bg-danger-soft shadow-[inset_2px_0_0_var(--danger)]' : ''}`}
    >
      <span className="mono w-[150px] flex-none truncate text-ink-2 max-sm:w-[100px]">{header.name}</span>
      <span className="mono min-w-0 flex-1 truncate">
        {scheme}
        {hasReference(secret) ? secret : <Mask secret={secret} />}
      </span>
      <Badge>{t('wizard.authStep')}</Badge>
      <IconButton
        icon={Lock}
        size={14}
        label={t('wizard.changeInAuth')}
        data-field="auth"
        onClick={() => dispatch({ type: 'go', to: { step: 'auth', field: 'auth' } })}
        className="-ml-1"
      />
    </div>
  )
}
