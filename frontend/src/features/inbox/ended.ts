import type { InboxRequest } from '@/lib/api'

/** Whether a server asks a person something, rather than a caller for an approval. */
export const isQuestion = ({ kind }: InboxRequest) => kind === 'elicitation_form' || kind === 'elicitation_url'

/** Whose words say how a question ended: those of a form or of a page. */
export const askedBy = ({ kind }: InboxRequest) => (kind === 'elicitation_url' ? 'page' : 'question')

/** Whether a server asks for a text of the model, or gets it. */
export const isText = ({ kind }: InboxRequest) => kind === 'sampling'

/** How a request for a text ended, as a key of its words. */
function endOfText({ status, text_for: textFor, failure }: InboxRequest) {
  if (failure) return 'failed' as const
  if (status === 'approved') return textFor === undefined ? ('sent' as const) : ('given' as const)
  return status === 'denied' ? ('refused' as const) : ('unanswered' as const)
}

/** How a question ended, as a key of its words. */
function endOf({ status, answer, failure }: InboxRequest) {
  if (failure) return 'unasked' as const
  if (status === 'approved') return 'answered' as const
  if (status === 'denied') return answer?.cancel ? ('cancelled' as const) : ('declined' as const)
  return 'unanswered' as const
}

/** Whether a tool is no longer what a person accepted. Those about how a server starts name no tool. */
export const isToolChange = ({ kind, tool }: InboxRequest) => kind === 'definition' && tool !== ''

/** How a request ended, as the key of its words. */
export function endKey(request: InboxRequest): string {
  const { kind, status } = request
  if (isText(request)) return `inbox.text.ends.${endOfText(request)}`
  if (kind === 'definition') return `inbox.${isToolChange(request) ? 'definition' : 'setup'}.ended.${status}`
  return isQuestion(request) ? `inbox.${askedBy(request)}.${endOf(request)}` : `inbox.closed.${status}`
}
