import type { KeyboardEvent } from 'react'

/**
 * Moves the focus with the arrows, Home and End among the elements that match, in document order. Returns the one that
 * got it; undefined when the key was another one.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>, selector: string): HTMLElement | undefined {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  const item = to === undefined || at < 0 ? undefined : items[to]
  if (!item) return undefined
  event.preventDefault()
  item.focus()
  return item
}
