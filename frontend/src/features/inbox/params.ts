// What a request would send, as a person reads and edits it: the arguments inside the params of the MCP request.
import { isObject, member, sameJson, type JsonObject } from '@/lib/json'
import type { InboxRequest } from '@/lib/api'

/** The arguments of a tool or a prompt. A resource has none: its address says it all. */
export function argumentsOf(request: InboxRequest): JsonObject {
  const params = (request.params ?? {}) as JsonObject
  const given = member(params, 'arguments')
  return isObject(given) ? given : {}
}

/** The params with other arguments; everything else stays as it was. */
export function withArguments(request: InboxRequest, edited: JsonObject): Record<string, unknown> {
  return { ...request.params, arguments: edited }
}

/** Whether arguments may be edited at all. */
export function isEditable(request: InboxRequest): boolean {
  return request.kind === 'tool' && request.call_kind !== 'resource'
}

/** The arguments that were changed, added or taken away. */
export function changedKeys(before: JsonObject, after: JsonObject): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].filter((key) => !sameJson(member(before, key), member(after, key)))
}
