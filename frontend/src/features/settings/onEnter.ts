import type { KeyboardEvent } from 'react'

/** Does something when Enter is pressed in a field. */
export const onEnter = (act: () => void) => (event: KeyboardEvent) => {
  if (event.key === 'Enter') act()
}
