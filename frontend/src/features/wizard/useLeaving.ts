import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Asks before a page with unsaved work is left. allow lets the next navigation through. */
export function useLeaving(dirty: boolean) {
  const allowed = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: () => dirty && !allowed.current,
    enableBeforeUnload: () => dirty && !allowed.current,
    withResolver: true,
  })
  return { blocker, allow: () => (allowed.current = true) }
}

/**
 * Focuses the field that a step was opened for, else its title, each time the step changes; not when the focus went
 * elsewhere meanwhile, as to a field that a person was quick to click.
 */
export function useStepFocus(step: string, field: string | undefined): void {
  useEffect(() => {
    const before = document.activeElement
    const frame = requestAnimationFrame(() => {
      const now = document.activeElement
      if (now !== before && now !== document.body) return
      if (now?.closest('footer')) return // a passed test has put the focus on its way forward
      const target = field === undefined ? null : document.querySelector<HTMLElement>(`[data-field^="${field}"]`)
      ;(target ?? document.querySelector<HTMLElement>('h1'))?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [step, field])
}

/** Ctrl Enter confirms the step, Escape leaves it, wherever the focus is. */
export function useWizardKeys(confirm: (() => void) | undefined, leave: () => void): void {
  useEffect(() => {
    const covered = () => document.querySelector('[role="dialog"], [role="listbox"], [role="menu"]') !== null
    const enter = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || covered()) return
      event.preventDefault()
      confirm?.()
    }
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !covered()) leave()
    }
    // Before the focused control, since check boxes and radios keep Enter for themselves.
    window.addEventListener('keydown', enter, true)
    window.addEventListener('keydown', escape)
    return () => {
      window.removeEventListener('keydown', enter, true)
      window.removeEventListener('keydown', escape)
    }
  }, [confirm, leave])
}
