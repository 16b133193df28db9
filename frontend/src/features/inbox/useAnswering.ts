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
    // ended is heard also when the card is gone by then; onAnswered is not.
    answer
      .mutateAsync({ ids: card.same.map(({ id }) => id), answer: given }, { onSuccess: () => onAnswered(card) })
      .then(
        () => ended?.(true),
        () => ended?.(false),
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
