// One day of the journal as it is read on: the lines known so far, the newest first.
import type { Activity, Entry } from '@/lib/api'

/** The first and the last instant of a day written as YYYY-MM-DD in this computer's time; today for undefined. */
export function dayBounds(day: string | undefined, now: Date): { since: Date; until: Date } {
  const [year, month, date] = (day ?? '').split('-').map(Number)
  const since =
    year !== undefined && month !== undefined && date !== undefined && year > 0
      ? new Date(year, month - 1, date)
      : new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const until = new Date(since)
  until.setDate(until.getDate() + 1)
  return { since, until }
}

/** A day as an address and a date field write it. */
export function dayName(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Lines that were known and a page of newer or older ones, each once, the newest first. */
export function joined(known: readonly Entry[], page: readonly Entry[]): readonly Entry[] {
  const have = new Set(known.map(({ seq }) => seq))
  const fresh = page.filter(({ seq }) => !have.has(seq))
  return fresh.length === 0 ? known : [...known, ...fresh].toSorted((a, b) => b.seq - a.seq)
}

/** A day after reading what came since. Where to go on for older lines stays where it was. */
export function readOn(before: Activity | undefined, page: Activity): Activity {
  if (!before) return page
  return { ...page, entries: [...joined(before.entries, page.entries)], before: before.before }
}

/** A day after reading a page of older lines. */
export function readBack(now: Activity, page: Activity): Activity {
  return { ...now, entries: [...joined(now.entries, page.entries)], before: page.before }
}
