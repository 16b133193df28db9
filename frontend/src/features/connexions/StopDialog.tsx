import { useTranslation } from 'react-i18next'
import type { Server } from '@/lib/api'
import { Button, Dialog } from '@/ui'

export interface StopDialogProps {
  /** The server to switch off, while the question is open. */
  server: Server | undefined
  onStop: (server: Server) => void
  onClose: () => void
}

/** Asks before calls that are running are cancelled. */
export function StopDialog({ server, onStop, onClose }: StopDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      open={server !== undefined}
      onClose={onClose}
      title={t('connexions.stop.title', { name: server?.name })}
      description={t('connexions.stop.body', { count: server?.running_calls ?? 0 })}
      actions={
        <>
          <Button onClick={onClose}>{t('connexions.stop.keep')}</Button>
          <Button
            look="danger"
            onClick={() => {
              if (server) onStop(server)
              onClose()
            }}
          >
            {t('connexions.stop.off')}
          </Button>
        </>
      }
    />
  )
}
