import { effectOf, type Effects, type JournalCall } from './calls'
import { isCall, type Row } from './deeds'
import { activeFilters, without, type ActiveFilter, type Filters } from './filters'

/** Whether a row passes every filter that is on; those for outcomes and risks let calls through only. */
export function matches(row: Row, filters: Filters, effects: Effects): boolean {
  const { entry } = row
  const call = isCall(row) ? row : undefined
  const one = (wanted: readonly string[], value: string | undefined) =>
    wanted.length === 0 || (value !== undefined && wanted.includes(value))
  const hour = new Date(row.at).getHours()
  return (
    one(filters.kind, call ? 'call' : entry.kind) &&
    one(filters.client, entry.caller.name) &&
    one(filters.server, entry.server) &&
    one(filters.verdict, entry.verdict) &&
    one(filters.outcome, call?.outcome) &&
    one(filters.risk, call && effectOf(call, effects)) &&
    (!filters.hours || (hour >= filters.hours[0] && hour <= filters.hours[1])) &&
    says(row, filters.text)
  )
}

function says({ entry }: Row, text: string): boolean {
  const said = `${entry.caller.name} ${entry.server}.${entry.name} ${entry.detail ?? ''}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word))
}

export interface Relief {
  drop: ActiveFilter
  /** How many calls there would be without it. */
  calls: number
}

/** The filter whose dropping brings most, when the filters together leave nothing; undefined when none alone helps. */
export function relief(calls: readonly JournalCall[], filters: Filters, effects: Effects): Relief | undefined {
  const reliefs = activeFilters(filters).map((drop): Relief => {
    const wider = without(filters, drop)
    return { drop, calls: calls.filter((call) => matches(call, wider, effects)).length }
  })
  return reliefs.filter(({ calls: count }) => count > 0).toSorted((a, b) => b.calls - a.calls)[0]
}
