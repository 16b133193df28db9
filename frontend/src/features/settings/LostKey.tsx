import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import { Button, Dialog, useToast } from '@/ui'
import { useRenewSecretKey } from './queries'

/** The way out when the key of the secrets is lost: it says what a new one costs before it is made. */
export function LostKey({ secrets }: { secrets: readonly string[] }) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const [asking, setAsking] = useState(false)
  const renew = useRenewSecretKey({
    onDone: ({ kept_in }) => toast({ text: t('settings.secrets.renewed', { path: kept_in }) }),
    onFailed: (error) => toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` }),
  })
  const close = () => setAsking(false)
  return (
    <div className="flex justify-end px-3.5 py-[9px]">
      <Button small look="danger" icon={KeyRound} inactive={renew.isPending} onClick={() => setAsking(true)}>
        {t('settings.secrets.renew')}
      </Button>
      <Dialog
        open={asking}
        onClose={close}
        title={t('settings.secrets.sure')}
        description={t('settings.secrets.sureMore')}
        actions={
          <>
            <Button onClick={close}>{t('common.cancel')}</Button>
            <Button
              look="danger-filled"
              onClick={() => {
                renew.mutate()
                close()
              }}
            >
              {t('settings.secrets.confirm')}
            </Button>
          </>
        }
      >
        <Costs secrets={secrets} />
      </Dialog>
    </div>
  )
}

/** What a new key loses, and what stays. */
function Costs({ secrets }: { secrets: readonly string[] }) {
  const { t } = useTranslation()
  return (
    <ul className="flex list-disc flex-col gap-1.5 pl-4 text-small text-ink-2">
      {secrets.length === 0 ? (
        <li>{t('settings.secrets.noValues')}</li>
      ) : (
        <li>
          {t('settings.secrets.values')}
          {secrets.map((name) => (
            <div key={name} className="mono break-all text-ink">
              {name}
            </div>
          ))}
        </li>
      )}
      <li>{t('settings.secrets.seal')}</li>
      <li>{t('settings.secrets.stays')}</li>
      <li>{t('settings.secrets.aside')}</li>
    </ul>
  )
}
