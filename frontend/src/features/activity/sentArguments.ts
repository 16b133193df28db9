import type { Call, Entry, InboxRequest } from '@/lib/api'
import { isObject, type JsonObject } from '@/lib/json'

export interface SentArguments {
  /** Undefined where nobody has them any more. */
  value: JsonObject | undefined
  /** A person changed them before approving. */
  edited: boolean
}

/** The arguments of a call as its server got them, from wherever they still are. */
export function sentArguments(entry: Entry, call: Call | undefined, request: InboxRequest | undefined): SentArguments {
  const edited = argumentsIn(call?.result?.meta.edited_params) ?? argumentsIn(request?.answer?.params)
  if (edited) return { value: edited, edited: true }
  const asked = [entry.arguments, call?.arguments].find(isArguments)
  return { value: asked ?? argumentsIn(request?.params), edited: false }
}

function argumentsIn(params: unknown): JsonObject | undefined {
  const found = isArguments(params) ? params.arguments : undefined
  return isArguments(found) ? found : undefined
}

const isArguments = (value: unknown): value is JsonObject => isObject(value as JsonObject | undefined)
