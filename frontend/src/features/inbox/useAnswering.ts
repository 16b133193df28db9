import { ApiError, type Answer } from '@/lib/api'
import { useAnswer } from './queries'
import type { Card } from './queue'

export interface Answering {
  /** Sends an answer; ended hears whether it counts. */
  send: (given: Answer, ended?: (counts: boolean) => void) => void
  pending: boolean
  /** Why the answer was not saved; undefined while it may be. */
  error: Error | undefined
  retry: () => void
}

/** Sends an answer for all that a card stands for. */
export function useAnswering(card: Card, onAnswered: (card: Card) => void): Answering {
  const answer = useAnswer()
  const send = (given: Answer, ended?: (counts: boolean) => void) => {
    if (answer.isPending) return
    answer.mutate(
      { ids: card.same.map(({ id }) => id), answer: given },
      {
        onSuccess: () => {
          ended?.(true)
          onAnswered(card)
        },
        onError: () => ended?.(false),
      },
    )
  }
  return {
    send,
    pending: answer.isPending,
    error: isLate(answer.error) ? undefined : (answer.error ?? undefined),
    retry: () => answer.variables && send(answer.variables.answer),
  }
}

/** Someone else was faster: the card will say so once it is read again. */
function isLate(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'already_answered'
}
