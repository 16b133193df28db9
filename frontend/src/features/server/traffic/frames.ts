// Reads JSON-RPC frames well enough to name them; the text itself is what is shown.
import { fold } from '@/features/connexions'
import type { Frame } from '@/lib/api'
import { isObject, member, tryParseJson, writeJson } from '@/lib/json'

export interface FrameSummary {
  seq: number
  sent: boolean
  /** The method, the method that is answered, or empty when neither is known. */
  method: string
  kind: 'request' | 'notification' | 'result' | 'error' | 'other'
}

/** Names the frames; an answer gets the name of its question when that is still among them. */
export function summaries(frames: readonly Frame[]): FrameSummary[] {
  const asked = new Map<string, string>()
  return frames.map(({ seq, direction, text }) => {
    const sent = direction === 'sent'
    const message = tryParseJson(text)
    if (!isObject(message)) return { seq, sent, method: methodIn(text), kind: 'other' }
    const method = member(message, 'method')
    const id = member(message, 'id')
    const key = `${sent ? 'sent' : 'received'} ${writeJson(id ?? null)}`
    if (typeof method === 'string') {
      if (id === undefined) return { seq, sent, method, kind: 'notification' }
      asked.set(key, method)
      return { seq, sent, method, kind: 'request' }
    }
    const question = `${sent ? 'received' : 'sent'} ${writeJson(id ?? null)}`
    const kind = member(message, 'error') === undefined ? 'result' : 'error'
    return { seq, sent, method: asked.get(question) ?? '', kind }
  })
}

/** As many as are drawn. */
const SHOWN = 300

export interface Found {
  frame: Frame
  summary: FrameSummary
}

/** The latest frames whose method or text holds some words, the newest first. */
export function findFrames(frames: readonly Frame[], words: string): Found[] {
  const wanted = fold(words)
  const named = summaries(frames)
  return frames
    .flatMap((frame, i) => {
      const summary = named[i]
      return summary && fold(`${summary.method} ${frame.text}`).includes(wanted) ? [{ frame, summary }] : []
    })
    .slice(-SHOWN)
    .reverse()
}

/** A frame that was cut is not JSON any more, but often still says its method. */
function methodIn(text: string): string {
  return /"method"\s*:\s*"([\w/]+)"/.exec(text.slice(0, 500))?.[1] ?? ''
}

/** How wide the trace of a frame is, from 4 to 16 pixels: its size on a logarithmic scale. */
export function tickWidth(bytes: number): number {
  return Math.round(Math.min(Math.max(2 * Math.log2(bytes / 32), 4), 16))
}
