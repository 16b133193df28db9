import { useTranslation } from 'react-i18next'

/** Scopes that have words of their own; others are shown as they are. */
const known = ['openid', 'profile', 'email', 'offline_access']

/** What a sign-in is for, in words where there are some. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const { t } = useTranslation()
  return scopes.map((scope, n) => (
    <span key={scope}>
      {n > 0 && ', '}
      {known.includes(scope) ? t(`signIn.scope.${scope}`) : <code className="break-all">{scope}</code>}
    </span>
  ))
}
