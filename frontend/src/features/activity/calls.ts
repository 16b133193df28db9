// Reads the journal's lines as calls: one row per call, whatever lines it has so far.
import type { Effect, Entry } from '@/lib/api'

export type Outcome = 'running' | 'succeeded' | 'refused' | 'failed' | 'cancelled' | 'cancelled_sent' | 'unknown'

/** One call of the journal. */
export interface JournalCall {
  id: string
  /** When it was asked for. */
  at: string
  /** The line that tells most: the outcome, else the intent. */
  entry: Entry
  outcome: Outcome
}

/** Calls from lines that come newest first. Lines of one call share its id; a person's answer is told by its call. */
export function callsOf(entries: readonly Entry[]): JournalCall[] {
  const starts = new Map<string, string>()
  for (const entry of entries) {
    if (entry.kind === 'intent' && entry.call_id) starts.set(entry.call_id, entry.at)
  }
  const seen = new Set<string>()
  const calls: JournalCall[] = []
  for (const entry of entries) {
    const id = entry.call_id ?? ''
    if ((entry.kind !== 'intent' && entry.kind !== 'outcome') || id === '' || seen.has(id)) continue
    seen.add(id)
    calls.push({ id, at: starts.get(id) ?? startOf(entry), entry, outcome: outcomeOf(entry) })
  }
  return calls.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at) || b.entry.seq - a.entry.seq)
}

/** The intent line is on an older page: the end minus the duration is when it started. */
function startOf(entry: Entry): string {
  return new Date(Date.parse(entry.at) - (entry.duration_ms ?? 0)).toISOString()
}

const outcomes: Record<NonNullable<Entry['outcome']>, Outcome> = {
  ok: 'succeeded',
  refused: 'refused',
  canceled: 'cancelled',
  unknown: 'unknown',
  tool_error: 'failed',
  error: 'failed',
}

function outcomeOf({ kind, outcome, code }: Entry): Outcome {
  if (outcome === 'unknown' && code === 'canceled') return 'cancelled_sent'
  return kind === 'intent' || outcome === undefined ? 'running' : outcomes[outcome]
}

export interface Hour {
  hour: number
  calls: JournalCall[]
}

/** Calls by the hour they were made in, the latest hour first; hours without calls are left out. */
export function byHour(calls: readonly JournalCall[]): Hour[] {
  const hours: Hour[] = []
  for (const call of calls) {
    const hour = new Date(call.at).getHours()
    const last = hours.at(-1)
    if (last?.hour === hour) last.calls.push(call)
    else hours.push({ hour, calls: [call] })
  }
  return hours
}

export interface Bar {
  calls: number
  failures: number
}

/** What the totals of the journal count as failed: errors, and calls of which nobody knows whether they ran. */
const isFailure = (outcome: Outcome) => outcome === 'failed' || outcome === 'cancelled_sent' || outcome === 'unknown'

/** How many calls each hour of a day had. */
export function dayBars(calls: readonly JournalCall[]): Bar[] {
  const bars = Array.from({ length: 24 }, (): Bar => ({ calls: 0, failures: 0 }))
  for (const call of calls) {
    const bar = bars[new Date(call.at).getHours()]
    if (!bar) continue
    bar.calls += 1
    if (isFailure(call.outcome)) bar.failures += 1
  }
  return bars
}

/** What a tool does to the world, by "server.tool". */
export type Effects = ReadonlyMap<string, Effect>

export function effectOf({ entry }: JournalCall, effects: Effects): Effect | undefined {
  return entry.call_kind === 'tool' ? effects.get(`${entry.server}.${entry.name}`) : 'reads'
}

/** What was called, with its server: "github.create_issue" for a tool, an address or a prompt after the server's name. */
export function titleOf({ call_kind, name }: Entry, server: string): string {
  return call_kind === undefined || call_kind === 'tool' ? `${server}.${name}` : `${server} ${name}`
}
