// Reads what a call came to: the raw result of tools/call, resources/read or prompts/get, as blocks a person can look at.
import { isNumber, isObject, member, tryParseJson, writeJson, type Json } from '@/lib/json'
import { isAsked, type Call, type CallKind } from '@/lib/api'

export type Outcome =
  | 'running'
  | 'asked'
  | 'waiting'
  | 'succeeded'
  | 'empty'
  | 'tool_error'
  | 'refused_by_rule'
  | 'refused_by_person'
  | 'expired'
  | 'unknown'
  | 'cancelled'
  | 'cancelled_sent'
  | 'unsupported'
  | 'failed'

/** What a block shows. Data of images, audio and files is base64, as it was sent. */
export type Content =
  | { kind: 'text'; text: string }
  | { kind: 'image' | 'audio'; mime: string; data: string; bytes: number }
  | { kind: 'file'; mime: string; data: string; bytes: number }
  | { kind: 'link'; uri: string; name: string; description: string; mime: string; bytes: number | undefined }
  | { kind: 'other'; value: Json }

export interface Block {
  content: Content
  /** The address of an embedded or read resource. */
  uri?: string
  /** Who speaks, in a prompt's message. */
  role?: string
}

const refusals: Record<string, Outcome> = {
  denied: 'refused_by_rule',
  approval_denied: 'refused_by_person',
  approval_expired: 'expired',
  approval_needed: 'expired',
  outcome_unknown: 'unknown',
  canceled: 'cancelled',
}

/** One word for where the call stands or how it ended. */
export function outcomeOf(call: Call): Outcome {
  if (call.status === 'running' && isAsked(call)) return 'asked'
  if (call.status !== 'done') return call.status
  if (call.error) return failureOf(call.error.code, call.sent)
  if (call.result?.kind !== undefined && call.result.kind !== 'complete') return 'unsupported'
  if (call.is_error) return 'tool_error'
  const raw = rawOf(call)
  return blocksOf(call.kind, raw).length === 0 && structuredOf(raw) === undefined ? 'empty' : 'succeeded'
}

/** A call that was sent may have run, however it ended here: the words of the journal. */
function failureOf(code: string, sent: boolean): Outcome {
  if (sent && code === 'canceled') return 'cancelled_sent'
  if (sent && code === 'call_timeout') return 'unknown'
  return refusals[code] ?? 'failed'
}

/** The result as the server sent it; null while there is none. */
export function rawOf(call: Call): Json {
  return (call.result?.raw ?? null) as Json
}

/** The tool's structuredContent; undefined when it sent none. */
export function structuredOf(raw: Json): Json | undefined {
  return isObject(raw) ? member(raw, 'structuredContent') : undefined
}

/** The blocks of a result in the order of the server. Empty texts are no blocks. */
export function blocksOf(kind: CallKind, raw: Json): Block[] {
  if (!isObject(raw)) return []
  switch (kind) {
    case 'tool':
      return listOf(raw.content).flatMap((item) => blockOf(item))
    case 'resource':
      return listOf(raw.contents).flatMap((item) => resourceBlock(item))
    case 'prompt':
      return listOf(raw.messages).flatMap((message) => messageBlocks(message))
  }
}

function messageBlocks(message: Json): Block[] {
  if (!isObject(message)) return [{ content: { kind: 'other', value: message } }]
  const content = member(message, 'content')
  const parts = Array.isArray(content) ? content : [content ?? null]
  return parts.flatMap((part) => blockOf(part)).map((block) => ({ ...block, role: textOf(message.role) }))
}

function blockOf(item: Json): Block[] {
  if (!isObject(item)) return [{ content: { kind: 'other', value: item } }]
  switch (item.type) {
    case 'text':
      return textOf(item.text) === '' ? [] : [{ content: { kind: 'text', text: textOf(item.text) } }]
    case 'image':
    case 'audio':
      return [{ content: mediaOf(textOf(item.mimeType), textOf(item.data)) }]
    case 'resource':
      return resourceBlock(item.resource ?? null)
    case 'resource_link':
      return [{ content: linkOf(item) }]
    default:
      return [{ content: { kind: 'other', value: item } }]
  }
}

function resourceBlock(item: Json): Block[] {
  if (!isObject(item)) return [{ content: { kind: 'other', value: item } }]
  const uri = textOf(item.uri)
  const blob = member(item, 'blob')
  if (typeof blob === 'string') return [{ uri, content: mediaOf(textOf(item.mimeType), blob) }]
  const text = member(item, 'text')
  if (typeof text === 'string') return [{ uri, content: { kind: 'text', text } }]
  return [{ uri, content: { kind: 'other', value: item } }]
}

function linkOf(item: Record<string, Json>): Content {
  return {
    kind: 'link',
    uri: textOf(item.uri),
    name: textOf(item.title) || textOf(item.name),
    description: textOf(item.description),
    mime: textOf(item.mimeType),
    bytes: isNumber(item.size) ? Number(item.size) : undefined,
  }
}

const IMAGE = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/
const AUDIO = /^audio\/[\w.+-]+$/

function mediaOf(mime: string, data: string): Content {
  const type = mime.toLowerCase().split(';')[0]?.trim() ?? ''
  const bytes = base64Bytes(data)
  if (IMAGE.test(type)) return { kind: 'image', mime: type, data, bytes }
  if (AUDIO.test(type)) return { kind: 'audio', mime: type, data, bytes }
  return { kind: 'file', mime: type, data, bytes }
}

function base64Bytes(data: string): number {
  const digits = data.replace(/[^A-Za-z0-9+/_-]/g, '').length
  return Math.floor((digits * 3) / 4)
}

/** The address of an image or a sound for an element of the page. The type was checked, so it cannot be a document. */
export function dataUrl(content: { mime: string; data: string }): string {
  return `data:${content.mime};base64,${content.data.replace(/[^A-Za-z0-9+/=]/g, '')}`
}

/** What the tree shows: the structured content, else a lone text that is JSON, else the whole result. */
export function treeValueOf(kind: CallKind, raw: Json): Json {
  const structured = structuredOf(raw)
  if (structured !== undefined) return structured
  const blocks = blocksOf(kind, raw)
  const only = blocks.length === 1 ? blocks[0]?.content : undefined
  const parsed = only?.kind === 'text' && only.text.length <= LARGE ? tryParseJson(only.text) : undefined
  return isObject(parsed) || Array.isArray(parsed) ? parsed : raw
}

/** The text of a result as it is copied: its texts, else the structured content. */
export function plainText(kind: CallKind, raw: Json): string {
  const texts = blocksOf(kind, raw).flatMap(({ content }) => (content.kind === 'text' ? [content.text] : []))
  const structured = structuredOf(raw)
  return texts.length === 0 && structured !== undefined ? writeJson(structured, 2) : texts.join('\n\n')
}

/** Above this many characters a text is shown by its two ends. */
export const LARGE = 256 * 1024

export interface Ends {
  head: string
  /** Characters left out between head and tail; 0 when the head is everything. */
  omitted: number
  tail: string
}

/** A text as it is shown: whole, or its beginning and its end. */
export function endsOf(text: string): Ends {
  if (text.length <= LARGE) return { head: text, omitted: 0, tail: '' }
  const head = text.slice(0, whole(text, (LARGE * 3) / 4))
  const tail = text.slice(whole(text, text.length - LARGE / 4))
  return { head, omitted: text.length - head.length - tail.length, tail }
}

/** Moves a cut so that it does not part a pair of surrogates. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}

export interface Progress {
  /** From 0 to 1; undefined when the server gives no total. */
  part: number | undefined
  message: string
}

/** The last progress that the server told; undefined when it told none. */
export function progressOf(call: Call): Progress | undefined {
  const last = call.notices.findLast((notice) => notice.kind === 'progress')
  const params = (last?.params ?? null) as Json
  if (!isObject(params)) return undefined
  const done = isNumber(params.progress) ? Number(params.progress) : NaN
  const total = isNumber(params.total) ? Number(params.total) : NaN
  const part = total > 0 && done >= 0 ? Math.min(done / total, 1) : undefined
  return { part, message: textOf(params.message) }
}

/** The task that a call has become at its server: what the server calls it, where it stands and what is said of it. */
export interface TaskState {
  id: string
  status: string
  message: string
}

/** The task that a running call goes on as; undefined for a call that is none. */
export function taskOf(call: Call): TaskState | undefined {
  const last = call.notices.findLast((notice) => notice.kind === 'task')
  const params = (last?.params ?? null) as Json
  if (!isObject(params)) return undefined
  return { id: textOf(params.taskId), status: textOf(params.status), message: textOf(params.statusMessage) }
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
