// Reads the journal's lines that are about no call: what people decided and changed, and what became of sign-ins.
import type { DeedKind, Entry } from '@/lib/api'
import type { JournalCall } from './calls'

export interface JournalDeed {
  id: string
  at: string
  entry: Entry & { kind: DeedKind }
}

/** A row of the page. */
export type Row = JournalCall | JournalDeed

export const isCall = (row: Row): row is JournalCall => 'outcome' in row

export const deedKinds: readonly DeedKind[] = [
  'answer',
  'request',
  'approval',
  'rule',
  'sign_in',
  'server',
  'settings',
  'budget',
  'journal',
]

const isDeed = (entry: Entry): entry is JournalDeed['entry'] => deedKinds.some((kind) => kind === entry.kind)

export function deedsOf(entries: readonly Entry[]): JournalDeed[] {
  return entries.filter(isDeed).map((entry) => ({ id: `line-${entry.seq}`, at: entry.at, entry }))
}

/** Calls and deeds on one wire, the latest first. */
export function inOrder(calls: readonly JournalCall[], deeds: readonly JournalDeed[]): Row[] {
  return [...calls, ...deeds].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at) || b.entry.seq - a.entry.seq)
}
