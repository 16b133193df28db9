import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import type { Failure } from '@/lib/api'
import { Button, Note, useToast } from '@/ui'
import { useAcceptLoss } from './queries'

/** That rules were lost, and the way for a person to go on with those that are there. */
export function LostRules({ lost }: { lost: Failure }) {
  const { t } = useTranslation()
  const words = useFailureWords()
  const toast = useToast()
  const accept = useAcceptLoss()
  const { what, fix } = words(lost)
  const onAccept = () =>
    accept.mutate(undefined, {
      onSuccess: () => toast({ text: t('policy.lossAccepted') }),
      onError: (error) => toast({ tone: 'danger', text: words(error).what }),
    })
  return (
    <Note tone="danger" role="alert" className="mb-4">
      <b className="font-semibold">{what}</b> {fix}
      <span className="mt-2 block">
        <Button small inactive={accept.isPending} onClick={onAccept}>
          {t('policy.acceptLoss')}
        </Button>
      </span>
    </Note>
  )
}
