import { useState } from 'react'
import { formOf, initialValue, issuesOf, type Field } from '@/features/form'
import type { InboxRequest } from '@/lib/api'
import { isObject, type Json, type JsonObject } from '@/lib/json'
import type { Card } from './queue'
import { useAnswering, type Answering } from './useAnswering'
import { useArmed } from './useArmed'

export interface Reply extends Omit<Answering, 'send'> {
  form: Field
  value: JsonObject
  setValue: (value: JsonObject) => void
  /** An answer was tried, so that what is missing is said. */
  tried: boolean
  /** How many fields are to be corrected before it can be sent. */
  wrong: number
  /** The question has been on screen long enough to be answered. */
  armed: boolean
  /** Sends what was filled in; false when something is to be corrected first. */
  answer: () => boolean
  decline: () => void
  /** Closes the question, and the call with it. */
  cancel: () => void
}

/** What a person is filling into the form of one question, and the ways to answer. */
export function useReply(card: Card, onAnswered: (card: Card) => void): Reply {
  const { request } = card
  const [edits, setEdits] = useState<{ id: string; value?: JsonObject; tried: boolean }>()
  const { send, ...sending } = useAnswering(card, onAnswered)
  const form = formOf(asked(request).schema)
  const now = edits?.id === request.id ? edits : { id: request.id, tried: false }
  const value = now.value ?? proposed(form)
  const wrong = issuesOf(form, value).length
  const ready = useArmed(request.id)
  const armed = ready && !sending.pending
  return {
    ...sending,
    form,
    value,
    setValue: (next) => setEdits({ ...now, value: next }),
    tried: now.tried,
    wrong,
    armed,
    answer: () => {
      if (!armed) return true
      if (wrong > 0) {
        setEdits({ ...now, value, tried: true })
        return false
      }
      send({ approve: true, data: value })
      return true
    },
    decline: () => send({ approve: false }),
    cancel: () => send({ approve: false, cancel: true }),
  }
}

/** What the server says and wants to know. */
export function asked(request: InboxRequest): { message: string; schema: Json | undefined } {
  const params = request.params as Json | undefined
  const given: JsonObject = isObject(params) ? params : {}
  return { message: typeof given.message === 'string' ? given.message : '', schema: given.requestedSchema }
}

function proposed(form: Field): JsonObject {
  const first = initialValue(form)
  return isObject(first) ? first : {}
}

/** Leads to the first field that is to be corrected, once it is marked. */
export function focusFirstWrong(within: HTMLElement | null): void {
  requestAnimationFrame(() => within?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
