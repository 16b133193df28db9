import { CircleAlert, Copy, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, Note, type Tone } from '@/ui'
import { diagnosisOf, useFailureWords } from './failure'
import { useCopy } from './useCopy'

export interface FailureNoteProps {
  error: unknown
  /** Safran for what works but should be known. */
  tone?: Tone
  /** Tries again what failed; then a button does it, and another copies what is known of the failure. */
  onRetry?: () => unknown
  className?: string
}

/** A failure on the page: what happened and what to do. */
export function FailureNote({ error, tone = 'danger', onRetry, className }: FailureNoteProps) {
  const { what, fix } = useFailureWords()(error)
  return (
    <Note
      tone={tone}
      icon={CircleAlert}
      role={tone === 'danger' ? 'alert' : 'note'}
      {...(className === undefined ? {} : { className })}
    >
      <b className="font-semibold">{what}</b> {fix}
      {onRetry && <NextSteps error={error} onRetry={onRetry} />}
    </Note>
  )
}

function NextSteps({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button small icon={RotateCw} onClick={() => void onRetry()}>
        {t('common.retry')}
      </Button>
      <Button small look="ghost" icon={Copy} onClick={() => copy(diagnosisOf(error))}>
        {t('unreachable.copy')}
      </Button>
    </div>
  )
}
