import { useState } from 'react'
import type { InboxRequest, TextOutlook } from '@/lib/api'
import { isObject, sameJson, writeJson, type Json, type JsonObject } from '@/lib/json'
import { useTextOutlook } from './queries'
import { isLength, longest } from './prompt'
import type { Card } from './queue'
import { useAnswering, type Answering } from './useAnswering'
import { useArmed } from './useArmed'

export interface TextDecision extends Omit<Answering, 'send'> {
  params: JsonObject
  setParams: (params: JsonObject) => void
  edited: boolean
  /** The person left no length, or none that a text can have: nothing is sent before they do. */
  lengthFault: boolean
  editing: boolean
  setEditing: (editing: boolean) => void
  /** Whether the answer of the model is shown before the server gets it. */
  review: boolean
  setReview: (review: boolean) => void
  outlook: TextOutlook | undefined
  /** The content has been on screen long enough, and there is a model to send it to. */
  armed: boolean
  deny: () => void
  send: (scope: 'once' | 'session') => void
}

/** What a person is deciding about a text that a server asks for, or about the text itself. */
export function useText(card: Card, onAnswered: (card: Card) => void): TextDecision {
  const { request } = card
  const original = paramsOf(request)
  const [state, setState] = useState<{ id: string; params?: JsonObject; editing?: boolean; review?: boolean }>()
  const mine = state?.id === request.id && request.status === 'waiting'
  const now = mine ? state : { id: request.id }
  const params = now.params ?? original
  const edited = !sameJson(params, original)
  const review = now.review ?? true
  const { send, ...sending } = useAnswering(card, onAnswered)
  const outlook = useTextOutlook(request).data
  const ready = useArmed(`${request.id} ${writeJson(params)}`)
  const isAnswer = request.text_for !== undefined
  const lengthFault = edited && !isAnswer && !isLength(longest(params))
  const armed =
    ready && !lengthFault && !sending.pending && (isAnswer || (outlook !== undefined && outlook.failure === undefined))
  return {
    ...sending,
    params,
    setParams: (next) => setState({ ...now, params: next }),
    edited,
    lengthFault,
    editing: now.editing ?? false,
    setEditing: (editing) => setState({ ...now, editing: editing || lengthFault }), // the field shows what is wrong
    review,
    setReview: (next) => setState({ ...now, review: next }),
    outlook,
    armed,
    deny: () => send({ approve: false }),
    send: (scope) => {
      if (!armed) return
      send({ approve: true, scope, ...(isAnswer ? {} : { review }), ...(edited ? { params } : {}) })
    },
  }
}

function paramsOf(request: InboxRequest): JsonObject {
  const params = (request.answer?.params ?? request.params) as Json | undefined
  return isObject(params) ? params : {}
}
