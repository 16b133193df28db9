// The arguments of a request while a person may be changing them.
import { isObject, tryParseJson, writeJson, type JsonObject } from '@/lib/json'

export interface Draft {
  original: JsonObject
  /** What would be sent: the last text that was an object. */
  value: JsonObject
  /** The text being edited; undefined when no editor is open. */
  text: string | undefined
  /** Whether the text is an object, so that it can be sent. */
  valid: boolean
}

export const draftOf = (original: JsonObject): Draft => ({ original, value: original, text: undefined, valid: true })

/** Opens the editor on what would be sent. */
export const opened = (draft: Draft): Draft => ({ ...draft, text: writeJson(draft.value, 2), valid: true })

/** Takes a text that was typed. While it is no object, the last one that was stays. */
export function typed(draft: Draft, text: string): Draft {
  const read = tryParseJson(text)
  const valid = isObject(read)
  return { ...draft, text, valid, value: valid ? read : draft.value }
}

/** Closes the editor. */
export const closed = (draft: Draft): Draft => ({ ...draft, text: undefined, valid: true })
