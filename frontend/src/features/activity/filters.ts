// What the page of calls shows, kept in its address so that it can be gone back to and shared.

import type { Entry } from '@/lib/api'
import { deedKinds } from './deeds'

export type FilterKey = 'kind' | 'client' | 'server' | 'verdict' | 'outcome' | 'risk'

export const filterKeys: readonly FilterKey[] = ['kind', 'client', 'server', 'verdict', 'outcome', 'risk']

export interface Filters {
  /** Words in the tool, the server or the caller. */
  text: string
  /** What lines tell of: calls, or one of the kinds of deeds. */
  kind: string[]
  client: string[]
  server: string[]
  verdict: string[]
  outcome: string[]
  risk: string[]
  /** A day as YYYY-MM-DD in this computer's time; undefined is today. */
  day: string | undefined
  /** Hours of the day, both ends included; undefined is the whole day. */
  hours: readonly [number, number] | undefined
}

/** The values that some filters can have; the others are names. */
const known: Partial<Record<FilterKey, readonly string[]>> = {
  kind: ['call', ...deedKinds],
  verdict: ['allow', 'ask', 'deny'],
  outcome: ['running', 'succeeded', 'refused', 'failed', 'cancelled', 'cancelled_sent', 'unknown'],
  risk: ['reads', 'writes', 'destroys'],
}

export type Search = Partial<Record<FilterKey | 'q' | 'day' | 'hours' | 'call', string>>

/** Reads the filters of an address; what makes no sense is left out. */
export function readFilters(search: Record<string, unknown>): Filters {
  const list = (key: FilterKey) => listOf(search[key]).filter((value) => known[key]?.includes(value) ?? true)
  return {
    text: textOf(search.q),
    kind: list('kind'),
    client: list('client'),
    server: list('server'),
    verdict: list('verdict'),
    outcome: list('outcome'),
    risk: list('risk'),
    day: /^\d{4}-\d{2}-\d{2}$/.test(textOf(search.day)) ? textOf(search.day) : undefined,
    hours: hoursOf(textOf(search.hours)),
  }
}

/** The address of filters; what filters nothing is left out. */
export function writeFilters(filters: Filters): Search {
  const search: Search = {}
  if (filters.text !== '') search.q = filters.text
  for (const key of filterKeys) {
    if (filters[key].length > 0) search[key] = filters[key].map(encodeURIComponent).join(',')
  }
  if (filters.day !== undefined) search.day = filters.day
  if (filters.hours) search.hours = filters.hours.join('-')
  return search
}

function listOf(value: unknown): string[] {
  return textOf(value)
    .split(',')
    .map(decode)
    .filter((text) => text !== '')
}

/** The router reads numbers out of an address, also where they are a name. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function hoursOf(text: string): readonly [number, number] | undefined {
  const match = /^(\d{1,2})-(\d{1,2})$/.exec(text)
  const from = Number(match?.[1] ?? -1)
  const to = Number(match?.[2] ?? -1)
  return from >= 0 && from <= to && to <= 23 ? [from, to] : undefined
}

/** One filter that is on, as a chip shows it and as it can be dropped. */
export type ActiveFilter = FilterKey | 'text' | 'day' | 'hours'

export function activeFilters(filters: Filters): ActiveFilter[] {
  const active: ActiveFilter[] = filterKeys.filter((key) => filters[key].length > 0)
  if (filters.text !== '') active.unshift('text')
  if (filters.day !== undefined) active.push('day')
  if (filters.hours) active.push('hours')
  return active
}

export function without(filters: Filters, dropped: ActiveFilter): Filters {
  switch (dropped) {
    case 'text':
      return { ...filters, text: '' }
    case 'day':
      return { ...filters, day: undefined }
    case 'hours':
      return { ...filters, hours: undefined }
    default:
      return { ...filters, [dropped]: [] }
  }
}

/** Adds a value to a filter, or takes it away. */
export function toggled(filters: Filters, key: FilterKey, value: string): Filters {
  const had = filters[key].includes(value)
  return { ...filters, [key]: had ? filters[key].filter((other) => other !== value) : [...filters[key], value] }
}

/** The values that a filter offers: the known ones, or the names among the rows and those already chosen. */
export function filterValues(key: FilterKey, filters: Filters, rows: readonly { entry: Entry }[]): readonly string[] {
  const fixed = known[key]
  if (fixed) return fixed
  const names = rows.map(({ entry }) => (key === 'client' ? entry.caller.name : entry.server))
  return [...new Set([...filters[key], ...names])].filter((name) => name !== '').toSorted((a, b) => a.localeCompare(b))
}
