import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FailureNote } from '@/features/vocabulary'
import { useNow } from '@/lib/useNow'
import { ActivityHead } from './ActivityHead'
import { CallDetail } from './CallDetail'
import { CallList } from './CallList'
import { dayBars } from './calls'
import { DayStrip } from './DayStrip'
import { FilterBar } from './FilterBar'
import { activeFilters, readFilters, writeFilters, type Filters, type Search } from './filters'
import { LoadingCalls } from './LoadingCalls'
import { NoCalls } from './NoCalls'
import { useShownCalls, type ShownCalls } from './useShownCalls'

/** The calls of a day, live: who asked for what, what the rules said, how it ended. */
export function ActivityPage({ search }: { search: Search }) {
  const navigate = useNavigate()
  const filters = readFilters(search)
  const [frozen, setFrozen] = useState(false)
  const list = useShownCalls(filters, frozen)
  const { shown, calls, effects, waitsFor } = list
  const open = calls.find((call) => call.id === search.call)
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
          totals={list.day.data?.totals}
          calls={calls}
          shown={list.shownRows}
          frozen={frozen}
          onFreeze={setFrozen}
          compact={open !== undefined}
        />
        <Calls
          list={list}
          filters={filters}
          open={open?.id}
          onFilters={(next) => go(next, search.call)}
          onOpen={(id) => go(filters, id)}
        />
      </div>
      {open && (
        <CallDetail
          key={open.id}
          call={open}
          requestId={waitsFor(open)}
          effects={effects}
          onStep={step}
          onClose={() => go(filters, undefined)}
        />
      )}
    </div>
  )
}

interface CallsProps {
  list: ShownCalls
  filters: Filters
  open: string | undefined
  onFilters: (filters: Filters) => void
  onOpen: (id: string) => void
}

function Calls({ list, filters, open, onFilters, onOpen }: CallsProps) {
  const now = useNow(1000)
  const { day, calls, rows, shownRows, effects, waitsFor, older } = list
  const isBeside = open !== undefined
  return (
    <>
      <FilterBar filters={filters} onFilters={onFilters} rows={rows} compact={isBeside} />
      <DayStrip
        bars={dayBars(calls)}
        now={filters.day === undefined ? now : undefined}
        hours={filters.hours}
        compact={isBeside}
        onHours={(hours) => onFilters({ ...filters, hours })}
      />
      {day.isError && <FailureNote error={day.error} onRetry={() => day.refetch()} className="mx-[var(--px)] mb-3" />}
      {day.isPending && <LoadingCalls />}
      {day.data && shownRows.length === 0 ? (
        <NoCalls
          calls={calls}
          filters={filters}
          effects={effects}
          filtered={activeFilters(filters).length > 0 && rows.length > 0}
          onFilters={onFilters}
        />
      ) : (
        <CallList
          rows={shownRows}
          open={open}
          onOpen={onOpen}
          isWaiting={(call) => waitsFor(call) !== undefined}
          narrow={isBeside}
          now={now}
          older={older}
        />
      )}
    </>
  )
}
