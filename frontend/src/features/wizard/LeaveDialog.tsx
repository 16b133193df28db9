import { useTranslation } from 'react-i18next'
import { Button, Dialog } from '@/ui'

export interface LeaveDialogProps {
  open: boolean
  onStay: () => void
  onLeave: () => void
}

/** "Leave without saving?": staying is the default. */
export function LeaveDialog({ open, onStay, onLeave }: LeaveDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      open={open}
      onClose={onStay}
      title={t('wizard.leave.title')}
      description={t('wizard.leave.body')}
      actions={
        <>
          <Button look="primary" onClick={onStay}>
            {t('wizard.leave.stay')}
          </Button>
          <Button look="danger" onClick={onLeave}>
            {t('wizard.leave.leave')}
          </Button>
        </>
      }
    />
  )
}
