import { CircleAlert } from 'lucide-react'
import { Note } from '@/ui'
import { useFailureWords } from './failure'

/** A failure on the page: what happened and what to do. */
export function FailureNote({ error, className }: { error: unknown; className?: string }) {
  const { what, fix } = useFailureWords()(error)
  return (
    <Note tone="danger" icon={CircleAlert} role="alert" {...(className === undefined ? {} : { className })}>
      <b className="font-semibold">{what}</b> {fix}
    </Note>
  )
}
