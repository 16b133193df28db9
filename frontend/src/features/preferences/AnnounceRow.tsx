import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isLocal, useServers } from '@/features/connexions'
import { useAnnounce, useAnnouncement } from '@/features/network'
import { FailureNote, useFailureWords } from '@/features/vocabulary'
import type { Announcement } from '@/lib/api'
import { Button, Dialog, Select, useToast } from '@/ui'
import { PreferenceRow } from './PreferenceRow'
import { VisibleFacts } from './VisibleFacts'

/** No server; ids have no such letters. */
const nobody = '-'

/** Chooses a server to announce, and shows what becomes visible before it does. */
export function AnnounceRow({ announced }: { announced: readonly Announcement[] }) {
  const { t } = useTranslation()
  const servers = (useServers().data ?? []).filter(
    (server) => !isLocal(server) && !announced.some(({ server: id }) => id === server.id),
  )
  const [chosen, setChosen] = useState<string>(nobody)
  const server = servers.some(({ id }) => id === chosen) ? chosen : ''
  const preview = useAnnouncement(server)
  const [asking, setAsking] = useState(false)
  return (
    <PreferenceRow
      icon={Megaphone}
      name={t('preferences.announce.name')}
      note={t(servers.length > 0 ? 'preferences.announce.note' : 'preferences.announce.none')}
      {...(server === ''
        ? {}
        : {
            below: preview.error ? (
              <FailureNote error={preview.error} onRetry={() => preview.refetch()} />
            ) : (
              preview.data && (
                <>
                  <VisibleFacts of={preview.data} />
                  <Button look="primary" className="mt-3" onClick={() => setAsking(true)}>
                    {t('preferences.announce.on')}
                  </Button>
                </>
              )
            ),
          })}
    >
      {servers.length > 0 && (
        <Select
          label={t('preferences.announce.choose')}
          className="w-[220px]! flex-none"
          value={server === '' ? nobody : server}
          onChange={setChosen}
          options={[
            { value: nobody, label: t('preferences.announce.choose') },
            ...servers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <AnnounceDialog of={asking ? preview.data : undefined} onClose={() => setAsking(false)} />
    </PreferenceRow>
  )
}

function AnnounceDialog({ of, onClose }: { of: Announcement | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const announce = useAnnounce()
  return (
    <Dialog
      open={of !== undefined}
      onClose={onClose}
      title={t('preferences.announce.ask', { name: of?.instance })}
      description={t('preferences.announce.toWhom')}
      className="w-[min(640px,calc(100vw-32px))]"
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            inactive={announce.isPending}
            onClick={() =>
              of &&
              announce.mutate(
                { server: of.server, on: true },
                {
                  onError: (error) => toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` }),
                  onSettled: onClose,
                },
              )
            }
          >
            {t('preferences.announce.on')}
          </Button>
        </>
      }
    >
      {of && <VisibleFacts of={of} />}
    </Dialog>
  )
}
