import { Trans, useTranslation } from 'react-i18next'
import { KeyValue, KeyValueList } from '@/ui'
import { othersOf, type OAuthDraft } from './oauthDraft'

export interface OthersProps {
  draft: OAuthDraft
  /** The id of the server; absent for one that was never saved. */
  server: string | undefined
  className?: string
}

/** What a sign-in has besides its fields: only shown, with where it is changed. */
export function Others({ draft, server, className = '' }: OthersProps) {
  const { t } = useTranslation()
  const others = othersOf(draft)
  const command = `apollia mcp config ${server ?? t('signIn.others.server')} --set auth.${others[0]?.name ?? 'grant'}=…`
  return (
    <div className={`text-small ${className}`}>
      {others.length > 0 && (
        <KeyValueList>
          {others.map(({ name, value }) => (
            <KeyValue key={name} name={<code>{name}</code>}>
              {value === undefined ? t('wizard.secret.kept') : <code className="break-all">{value}</code>}
            </KeyValue>
          ))}
        </KeyValueList>
      )}
      <p className="mt-1.5 text-caption text-ink-3">
        <Trans
          i18nKey={others.length > 0 ? 'signIn.others.change' : 'signIn.others.none'}
          values={{ command }}
          components={{ code: <code className="break-words" /> }}
        />
      </p>
    </div>
  )
}
