import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { FailureNote } from '@/features/vocabulary'
import type { Effect, Entry } from '@/lib/api'
import { useNow } from '@/lib/useNow'
import { ActivityHead } from './ActivityHead'
import { CallDetail } from './CallDetail'
import { callsOf, dayBars } from './calls'
import { DayStrip } from './DayStrip'
import { NoCalls } from './NoCalls'
import { FilterBar } from './FilterBar'
import { activeFilters, readFilters, writeFilters, type Filters, type Search } from './filters'
import { CallList } from './CallList'
import { matches } from './matching'
import { useDay, useEffects, useOlder, useWaitingDigests } from './queries'

const noEffects: ReadonlyMap<string, Effect> = new Map()
const noEntries: readonly Entry[] = []

/** The calls of a day, live: who asked for what, what the rules said, how it ended. */
export function ActivityPage({ search }: { search: Search }) {
  const navigate = useNavigate()
  const now = useNow(1000)
  const filters = readFilters(search)
  const [frozen, setFrozen] = useState(false)
  const day = useDay(filters.day, frozen)
  const older = useOlder(filters.day)
  const effects = useEffects().data ?? noEffects
  const waiting = useWaitingDigests()
  const entries = day.data?.entries ?? noEntries
  const calls = useMemo(() => callsOf(entries), [entries])
  const shown = calls.filter((call) => matches(call, filters, effects))
  const open = shown.find((call) => call.id === search.call) ?? calls.find((call) => call.id === search.call)
  const go = (next: Filters, call: string | undefined) =>
    void navigate({
      to: '/activity',
      search: { ...writeFilters(next), ...(call === undefined ? {} : { call }) },
      replace: true,
    })
  const step = (by: -1 | 1) => {
    const at = shown.findIndex((call) => call.id === open?.id)
    const next = shown[Math.min(Math.max(at + by, 0), shown.length - 1)]
    if (next) go(filters, next.id)
  }
  return (
    <div className="relative flex min-h-0 flex-1">
      <div data-pane className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ActivityHead
          day={filters.day}
          totals={day.data?.totals}
          calls={calls}
          frozen={frozen}
          onFreeze={setFrozen}
          shown={shown}
          compact={open !== undefined}
        />
        <FilterBar
          filters={filters}
          onFilters={(next) => go(next, search.call)}
          calls={calls}
          compact={open !== undefined}
        />
        <DayStrip
          bars={dayBars(calls)}
          now={filters.day === undefined ? now : undefined}
          hours={filters.hours}
          onHours={(hours) => go({ ...filters, hours }, search.call)}
        />
        {day.isError && <FailureNote error={day.error} className="mx-[var(--px)] mb-3" />}
        {day.data && shown.length === 0 ? (
          <NoCalls
            calls={calls}
            filters={filters}
            effects={effects}
            filtered={activeFilters(filters).length > 0 && calls.length > 0}
            onFilters={(next) => go(next, search.call)}
          />
        ) : (
          <CallList
            calls={shown}
            open={open?.id}
            onOpen={(id) => go(filters, id)}
            isWaiting={(call) => call.outcome === 'running' && waiting.has(call.entry.arguments_digest ?? '')}
            narrow={open !== undefined}
            now={now}
            older={
              day.data?.before ? { loading: older.isPending, load: () => older.mutate(day.data.before) } : undefined
            }
          />
        )}
      </div>
      {open && (
        <CallDetail key={open.id} call={open} effects={effects} onStep={step} onClose={() => go(filters, undefined)} />
      )}
    </div>
  )
}
