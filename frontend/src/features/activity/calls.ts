// Reads the journal's lines as calls: one row per call, whatever lines it has so far.
import type { CallOutcome, Effect, Entry } from '@/lib/api'

export type Outcome = 'running' | 'succeeded' | 'refused' | 'failed' | 'cancelled' | 'cancelled_sent' | 'unknown'

/** One call of the journal. */
export interface JournalCall {
  id: string
  /** When it was asked for. */
  at: string
  /** The line that tells most: the outcome, else the verdict, else the intent. */
  entry: Entry
  outcome: Outcome
}

/** Calls from lines that come newest first. Lines of one call share its id; a person's answer is told by its call. */
export function callsOf(entries: readonly Entry[]): JournalCall[] {
  const intents = new Map<string, Entry>()
  for (const entry of entries) {
    if (entry.kind === 'intent' && entry.call_id) intents.set(entry.call_id, entry)
  }
  const seen = new Set<string>()
  const calls: JournalCall[] = []
  for (const entry of entries) {
    const id = entry.call_id ?? ''
    if (!tellsOfCalls(entry) || id === '' || seen.has(id)) continue
    seen.add(id)
    const intent = intents.get(id)
    // The arguments, where a person wants them kept, are on the first line only.
    const whole: Entry = { ...entry, arguments: intent?.arguments }
    calls.push({ id, at: intent?.at ?? startOf(entry), entry: whole, outcome: outcomeOf(entry) })
  }
  return calls.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at) || b.entry.seq - a.entry.seq)
}

const tellsOfCalls = ({ kind }: Entry) => kind === 'intent' || kind === 'verdict' || kind === 'outcome'

/** The intent line is on an older page: the end minus the duration is when it started. */
function startOf(entry: Entry): string {
  return new Date(Date.parse(entry.at) - (entry.duration_ms ?? 0)).toISOString()
}

const outcomes: Record<CallOutcome, Outcome> = {
  ok: 'succeeded',
  refused: 'refused',
  canceled: 'cancelled',
  unknown: 'unknown',
  tool_error: 'failed',
  error: 'failed',
}

function outcomeOf({ kind, outcome, code }: Entry): Outcome {
  if (outcome === 'unknown' && code === 'canceled') return 'cancelled_sent'
  return kind === 'outcome' && outcome !== undefined && isOutcome(outcome) ? outcomes[outcome] : 'running'
}

const isOutcome = (word: string): word is CallOutcome => word in outcomes

export interface Hour<T> {
  hour: number
  rows: T[]
}

/** Rows by the hour they are of, the latest hour first; hours without rows are left out. */
export function byHour<T extends { at: string }>(rows: readonly T[]): Hour<T>[] {
  const hours: Hour<T>[] = []
  for (const row of rows) {
    const hour = new Date(row.at).getHours()
    const last = hours.at(-1)
    if (last?.hour === hour) last.rows.push(row)
    else hours.push({ hour, rows: [row] })
  }
  return hours
}

export interface Bar {
  calls: number
  failures: number
}

/** What the totals of the journal count as failed: errors, and calls of which nobody knows whether they ran. */
export const isFailure = (outcome: Outcome) =>
  outcome === 'failed' || outcome === 'cancelled_sent' || outcome === 'unknown'

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
