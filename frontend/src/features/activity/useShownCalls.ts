import { useMemo } from 'react'
import type { Effect, Entry } from '@/lib/api'
import { callsOf, type Effects, type JournalCall } from './calls'
import { deedsOf, inOrder, isCall, type Row } from './deeds'
import type { Filters } from './filters'
import { matches } from './matching'
import { useDay, useEffects, useOlder, useWaiting } from './queries'

const noEffects: ReadonlyMap<string, Effect> = new Map()
const noEntries: readonly Entry[] = []

export interface ShownCalls {
  day: ReturnType<typeof useDay>
  /** Every call of the day that was read, and those that pass the filters. */
  calls: readonly JournalCall[]
  shown: readonly JournalCall[]
  /** Calls and what else the journal tells, all of it and what passes the filters. */
  rows: readonly Row[]
  shownRows: readonly Row[]
  effects: Effects
  /** The request that a call waits for; undefined when it waits for none. */
  waitsFor: (call: JournalCall) => string | undefined
  /** The way to read earlier calls of the day; undefined when all are there. */
  older: { loading: boolean; load: () => void } | undefined
}

/** The rows of the day that the filters name, with what is needed to draw them. */
export function useShownCalls(filters: Filters, frozen: boolean): ShownCalls {
  const day = useDay(filters.day, frozen)
  const older = useOlder(filters.day)
  const effects = useEffects().data ?? noEffects
  const waiting = useWaiting()
  const entries = day.data?.entries ?? noEntries
  const calls = useMemo(() => callsOf(entries), [entries])
  const rows = useMemo(() => inOrder(calls, deedsOf(entries)), [calls, entries])
  const shownRows = rows.filter((row) => matches(row, filters, effects))
  const before = day.data?.before ?? 0
  return {
    day,
    calls,
    shown: shownRows.filter(isCall),
    rows,
    shownRows,
    effects,
    waitsFor: ({ outcome, entry }) => (outcome === 'running' ? waiting.get(entry.arguments_digest ?? '') : undefined),
    older: before > 0 ? { loading: older.isPending, load: () => older.mutate(before) } : undefined,
  }
}
