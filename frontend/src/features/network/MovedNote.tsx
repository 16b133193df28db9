import { Radar } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { Button, Dialog, Note, useToast } from '@/ui'
import { useFollowMove } from './queries'

/** Says that the network has a server elsewhere; nothing where it has not. */
export function MovedNote({ server, className }: { server: Server; className?: string }) {
  const { t } = useTranslation()
  // What a person reads stays as it is, whatever the network says meanwhile: the core refuses it then.
  const [asked, setAsked] = useState<Server>()
  const { moved = asked?.moved } = server
  if (!moved) return null
  return (
    <Note tone="attn" icon={Radar} {...(className === undefined ? {} : { className })}>
      {t('network.moved.note', { address: moved.to })}{' '}
      <button className="underline underline-offset-2" onClick={() => setAsked(server)}>
        {t('network.moved.see')}
      </button>
      <MovedDialog server={asked} onClose={() => setAsked(undefined)} />
    </Note>
  )
}

interface MovedDialogProps {
  /** The server that is announced elsewhere, as it was when the question was opened. */
  server: Server | undefined
  onClose: () => void
}

/** Asks whether a server is reached where the network has it now. What it is sent goes there. */
function MovedDialog({ server, onClose }: MovedDialogProps) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const follow = useFollowMove()
  const moved = server?.moved
  const accept = () => {
    if (!server || !moved) return
    follow.mutate(
      { id: server.id, to: moved.to },
      {
        onError: (error) => toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` }),
        onSettled: onClose,
      },
    )
  }
  return (
    <Dialog
      open={moved !== undefined}
      onClose={onClose}
      title={t('network.moved.title', { name: server?.name })}
      description={t('network.moved.body')}
      actions={
        <>
          <Button onClick={onClose}>{t('network.moved.keep')}</Button>
          <Button look="primary" inactive={follow.isPending} onClick={accept}>
            {t('network.moved.accept')}
          </Button>
        </>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small">
        <dt className="text-ink-3">{t('network.moved.from')}</dt>
        <dd className="mono break-all">{moved?.from}</dd>
        <dt className="text-ink-3">{t('network.moved.to')}</dt>
        <dd className="mono break-all">{moved?.to}</dd>
      </dl>
    </Dialog>
  )
}
