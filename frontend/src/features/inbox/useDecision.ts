import { useState } from 'react'
import { ApiError, type Answer, type Scope } from '@/lib/api'
import { writeJson } from '@/lib/json'
import { draftOf, type Draft } from './draft'
import { argumentsOf, changedKeys, withArguments } from './params'
import { useAnswer } from './queries'
import type { Card } from './queue'
import { useArmed } from './useArmed'

export interface Decision {
  draft: Draft
  setDraft: (draft: Draft) => void
  /** Approving is possible: the content has been on screen long enough and can be sent. */
  armed: boolean
  pending: boolean
  /** Why the answer was not saved; undefined while it may be. */
  error: Error | undefined
  deny: () => void
  approve: (scope: Scope, until?: string) => void
  retry: () => void
}

/** What a person is deciding about one card: the edited arguments, and the ways to answer. */
export function useDecision(card: Card, onAnswered: (card: Card) => void): Decision {
  const { request, same } = card
  const [edits, setEdits] = useState<{ id: string; draft: Draft }>()
  const draft = edits?.id === request.id ? edits.draft : draftOf(argumentsOf(request))
  const ready = useArmed(`${request.id} ${writeJson(draft.value)}`)
  const answer = useAnswer()
  const send = (given: Answer) => {
    if (answer.isPending) return
    answer.mutate({ ids: same.map(({ id }) => id), answer: given }, { onSuccess: () => onAnswered(card) })
  }
  const armed = ready && draft.valid
  const edited = changedKeys(draft.original, draft.value).length > 0
  return {
    draft,
    setDraft: (next) => setEdits({ id: request.id, draft: next }),
    armed,
    pending: answer.isPending,
    error: isLate(answer.error) ? undefined : (answer.error ?? undefined),
    deny: () => send({ approve: false }),
    approve: (scope, until) => {
      if (!armed || (scope === 'session' && !request.caller.session)) return
      send({
        approve: true,
        scope,
        ...(edited ? { params: withArguments(request, draft.value) } : {}),
        ...(until === undefined ? {} : { until }),
      })
    },
    retry: () => answer.variables && send(answer.variables.answer),
  }
}

/** Someone else was faster: the card will say so once it is read again. */
function isLate(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'already_answered'
}
