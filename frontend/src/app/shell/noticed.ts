/** How many requests a person has seen, and how many came since. */
export interface Noticed {
  /** The number that waited when the person last looked; undefined before the first answer of the core. */
  seen: number | undefined
  fresh: number
}

/** What is new after hearing that so many wait. What waits when the program starts is not new, nor what is on screen. */
export function noticed(now: Noticed, waiting: number | undefined, inInbox: boolean): Noticed {
  if (waiting === undefined) return now
  const seen = now.seen === undefined || inInbox ? waiting : Math.min(now.seen, waiting)
  const fresh = waiting - seen
  return seen === now.seen && fresh === now.fresh ? now : { seen, fresh }
}
