// What a person typed for one call: the arguments as JSON, in fields or as text.
import { formOf, fromJsonText, initialValue, type Field, type JsonText } from '@/features/form'
import { isObject, writeJson, type Json, type JsonObject } from '@/lib/json'

export interface Draft {
  form: Field
  value: JsonObject
  /** The text of the JSON mode; undefined in the mode of fields. */
  text: string | undefined
  /** A call was tried, so that what is missing is said. */
  tried: boolean
}

/** A first draft for an input schema. */
export function draftOf(schema: unknown): Draft {
  const form = formOf(schema as Json | undefined)
  const first = initialValue(form)
  return { form, value: isObject(first) ? first : {}, text: undefined, tried: false }
}

export function withMode(draft: Draft, mode: 'fields' | 'json'): Draft {
  if ((draft.text === undefined) === (mode === 'fields')) return draft
  return { ...draft, text: mode === 'json' ? writeJson(draft.value, 2) : undefined }
}

/** Takes the text of the JSON mode; while it is no object, the last value that was stays. */
export function withText(draft: Draft, text: string): Draft {
  const read = fromJsonText(text)
  return { ...draft, text, value: read.ok ? read.value : draft.value }
}

/** Brings earlier arguments back, in the mode that is open. */
export function recalled(draft: Draft, value: JsonObject): Draft {
  return { ...draft, value, tried: false, text: draft.text === undefined ? undefined : writeJson(value, 2) }
}

/** Where the JSON text is broken; undefined when it is not, or in the mode of fields. */
export function brokenAt(draft: Draft): Exclude<JsonText, { ok: true }> | undefined {
  const read = draft.text === undefined ? undefined : fromJsonText(draft.text)
  return read?.ok === false ? read : undefined
}
