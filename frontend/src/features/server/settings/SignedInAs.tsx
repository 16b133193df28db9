import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hostOf, ScopeList, useSignOut } from '@/features/signin'
import { useFailureWords } from '@/features/vocabulary'
import type { Server, SignedIn } from '@/lib/api'
import { daysAgo, formatDay, formatTime } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, Dialog, KeyValue, KeyValueList, useToast } from '@/ui'

/** Where a server is signed in to, for what and until when; and the way out. */
export function SignedInAs({ server, signed }: { server: Server; signed: SignedIn }) {
  const { t } = useTranslation()
  const { issuer, scopes = [] } = signed
  return (
    <div className="flex items-start gap-3 px-3.5 py-2.5">
      <div className="min-w-0 flex-1">
        <KeyValueList>
          <KeyValue name={t('signIn.issuer')}>
            <span title={issuer} className="mono break-all">
              {hostOf(issuer)}
            </span>
          </KeyValue>
          {scopes.length > 0 && (
            <KeyValue name={t('signIn.scopes')}>
              <ScopeList scopes={scopes} />
            </KeyValue>
          )}
          <KeyValue name={t('signIn.token')}>
            <TokenLife signed={signed} />
          </KeyValue>
        </KeyValueList>
      </div>
      <SignOut server={server} />
    </div>
  )
}

function TokenLife({ signed: { expires_at: at, renewable } }: { signed: SignedIn }) {
  const { t } = useTranslation()
  const lang = useLang()
  if (at === undefined) return t('signIn.tokenNoEnd')
  const time = formatTime(at, lang)
  const until = daysAgo(at) === 0 ? time : t('signIn.dayAndTime', { day: formatDay(at, lang), time })
  return t(renewable ? 'signIn.tokenRenewed' : 'signIn.tokenEnds', { until })
}

function SignOut({ server: { id, name } }: { server: Server }) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const out = useSignOut()
  const [asking, setAsking] = useState(false)
  const confirm = () => {
    setAsking(false)
    out.mutate(id, {
      onSuccess: () => toast({ tone: 'ok', text: t('signIn.signedOut', { name }) }),
      onError: (error) => toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` }),
    })
  }
  return (
    <>
      <Button small look="danger" inactive={out.isPending} onClick={() => setAsking(true)}>
        {t('signIn.signOut')}
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('signIn.signOutFrom', { name })}
        description={t('signIn.signOutMore')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t('signIn.stay')}</Button>
            <Button look="danger" onClick={confirm}>
              {t('signIn.signOut')}
            </Button>
          </>
        }
      />
    </>
  )
}
