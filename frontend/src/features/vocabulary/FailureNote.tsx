import { CircleAlert } from 'lucide-react'
import { Note, type Tone } from '@/ui'
import { useFailureWords } from './failure'

export interface FailureNoteProps {
  error: unknown
  /** Safran for what works but should be known. */
  tone?: Tone
  className?: string
}

/** A failure on the page: what happened and what to do. */
export function FailureNote({ error, tone = 'danger', className }: FailureNoteProps) {
  const { what, fix } = useFailureWords()(error)
  return (
    <Note
      tone={tone}
      icon={CircleAlert}
      role={tone === 'danger' ? 'alert' : 'note'}
      {...(className === undefined ? {} : { className })}
    >
      <b className="font-semibold">{what}</b> {fix}
    </Note>
  )
}
