// The parts of a request for a text, or of the text itself, as a person reads and edits them.
import { isNumber, isObject, type Json, type JsonObject } from '@/lib/json'

type Path = readonly (string | number)[]

/** One thing that somebody says: words, which can be edited, or anything else, which cannot. */
export interface Part {
  path: Path
  role: 'system' | 'user' | 'assistant'
  text?: string
  other?: JsonObject
}

/** The members that are read as parts or beside them. */
const apart = ['messages', 'systemPrompt', 'maxTokens', 'role', 'content', 'model', 'stopReason', '_meta']

/** Everything that is said, in order: the system's words first. Of a text, what the model says. */
export function partsOf(params: JsonObject): Part[] {
  const system = params.systemPrompt
  const first: Part[] = typeof system === 'string' ? [{ path: ['systemPrompt'], role: 'system', text: system }] : []
  const messages = Array.isArray(params.messages)
    ? params.messages.flatMap((message, at) => blocks(message, ['messages', at]))
    : []
  return [...first, ...messages, ...blocks(params, [])]
}

function blocks(message: Json | undefined, path: Path): Part[] {
  if (!isObject(message) || message.content === undefined) return []
  const role = message.role === 'assistant' ? 'assistant' : 'user'
  const { content } = message
  const part = (block: Json, at: Path): Part =>
    isObject(block) && block.type === 'text' && typeof block.text === 'string'
      ? { path: [...at, 'text'], role, text: block.text }
      : { path: at, role, other: isObject(block) ? block : { block } }
  return Array.isArray(content)
    ? content.map((block, at) => part(block, [...path, 'content', at]))
    : [part(content, [...path, 'content'])]
}

/** What else is asked for, such as tools and a temperature; undefined for nothing. */
export function restOf(params: JsonObject): JsonObject | undefined {
  const rest = Object.entries(params).filter(([name]) => !apart.includes(name))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

/** The same with one value in place of another. */
export function withAt(value: Json, path: Path, next: Json): Json {
  const [head, ...rest] = path
  if (head === undefined) return next
  if (Array.isArray(value)) return value.map((item, at) => (at === head ? withAt(item, rest, next) : item))
  if (isObject(value)) return { ...value, [head]: withAt(value[head] ?? null, rest, next) }
  return value
}

export const wordsAt = (params: JsonObject, path: Path, text: string): JsonObject => {
  const next = withAt(params, path, text)
  return isObject(next) ? next : params
}

/** Four letters of a text make about one token. */
export const tokensOf = (parts: readonly Part[]): number =>
  Math.ceil(parts.reduce((sum, { text = '' }) => sum + text.length, 0) / 4)

export function longest(params: JsonObject): number | undefined {
  return isNumber(params.maxTokens) ? Number(params.maxTokens) : undefined
}

/** Whether a text may be of the length that is asked for: one token or more. */
export function isLength(most: number | undefined): boolean {
  return most !== undefined && Number.isInteger(most) && most >= 1
}

/** The model that the server would like, as it names it, or what it finds important. */
export function wish(params: JsonObject): { name: string } | 'fast' | 'cheap' | 'clever' | undefined {
  const wanted = params.modelPreferences
  if (!isObject(wanted)) return undefined
  const hint = Array.isArray(wanted.hints) ? wanted.hints[0] : undefined
  if (isObject(hint) && typeof hint.name === 'string' && hint.name !== '') return { name: hint.name }
  const weight = (name: string) => (isNumber(wanted[name]) ? Number(wanted[name]) : 0)
  const ranked = (
    [
      ['fast', weight('speedPriority')],
      ['cheap', weight('costPriority')],
      ['clever', weight('intelligencePriority')],
    ] as const
  ).toSorted((a, b) => b[1] - a[1])
  return ranked[0] && ranked[0][1] > 0 ? ranked[0][0] : undefined
}
