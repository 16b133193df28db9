import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { Attempt } from './attempt'

/**
 * Keeps the focus from falling off the page: the panel takes it when the button that began an attempt is gone, and the
 * title of the page takes it when the panel goes. What becomes of the attempt is brought into view. What is begun elsewhere
 * does neither.
 */
export function useFocusKept(attempt: Attempt | undefined): RefObject<HTMLDivElement | null> {
  const panel = useRef<HTMLDivElement>(null)
  const shown = attempt !== undefined
  const elsewhere = attempt?.is === 'waiting' && attempt.elsewhere === true
  const is = attempt?.is
  useEffect(() => {
    if (elsewhere || panel.current === null) return
    if (document.activeElement === document.body) panel.current.focus()
    else panel.current.scrollIntoView({ block: 'nearest' })
  }, [is, elsewhere])
  useLayoutEffect(() => {
    const here = panel.current
    if (!shown) return undefined
    return () => {
      if (here?.contains(document.activeElement)) document.querySelector<HTMLElement>('h1')?.focus()
    }
  }, [shown])
  return panel
}
