import { useState } from 'react'
import type { Scope } from '@/lib/api'
import { writeJson } from '@/lib/json'
import { draftOf, type Draft } from './draft'
import { argumentsOf, changedKeys, withArguments } from './params'
import type { Card } from './queue'
import { useAnswering, type Answering } from './useAnswering'
import { useArmed } from './useArmed'

export interface Decision extends Omit<Answering, 'send'> {
  draft: Draft
  setDraft: (draft: Draft) => void
  /** Approving is possible: the content has been on screen long enough and can be sent. */
  armed: boolean
  deny: () => void
  approve: (scope: Scope, until?: string) => void
}

/** What a person is deciding about one card: the edited arguments, and the ways to answer. */
export function useDecision(card: Card, onAnswered: (card: Card) => void): Decision {
  const { request } = card
  const [edits, setEdits] = useState<{ id: string; draft: Draft }>()
  const draft = edits?.id === request.id ? edits.draft : draftOf(argumentsOf(request))
  const ready = useArmed(`${request.id} ${writeJson(draft.value)}`)
  const { send, ...sending } = useAnswering(card, onAnswered)
  const armed = ready && draft.valid
  const edited = changedKeys(draft.original, draft.value).length > 0
  return {
    ...sending,
    draft,
    setDraft: (next) => setEdits({ id: request.id, draft: next }),
    armed,
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
  }
}
