/** Numbered things in order, as far as they were read. */
export interface Stream<T extends { seq: number }> {
  items: readonly T[]
  /** The number to read on from. */
  next: number
}

/** As many as the core keeps itself. */
const KEPT = 2000

/** A stream with one more page. When the numbers start again, the core did too, and what was read before is over. */
export function appended<T extends { seq: number }>(before: Stream<T>, page: readonly T[], next: number): Stream<T> {
  if (next < before.next) return { items: page.slice(-KEPT), next }
  const last = before.items.at(-1)?.seq ?? 0
  const fresh = page.filter(({ seq }) => seq > last)
  return fresh.length === 0 && next === before.next ? before : { items: [...before.items, ...fresh].slice(-KEPT), next }
}
