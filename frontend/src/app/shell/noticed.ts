/** Which requests a person has seen, of those that wait, and how many came since. */
export interface Noticed {
  /** Undefined before the first answer of the core. */
  seen: readonly string[] | undefined
  fresh: number
}

/**
 * What is new after hearing which requests wait. What waits when the program starts is not new, nor what is on screen:
 * in the inbox all of them, elsewhere those shown in place.
 */
export function noticed(
  now: Noticed,
  waiting: readonly string[] | undefined,
  inInbox: boolean,
  inPlace: ReadonlySet<string>,
): Noticed {
  if (waiting === undefined) return now
  const before = inInbox ? undefined : now.seen
  const seen = before === undefined ? waiting : waiting.filter((id) => before.includes(id) || inPlace.has(id))
  const fresh = waiting.length - seen.length
  const same = fresh === now.fresh && seen.length === now.seen?.length && seen.every((id) => now.seen?.includes(id))
  return same ? now : { seen, fresh }
}
