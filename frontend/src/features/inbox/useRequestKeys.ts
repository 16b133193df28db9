import { useEffect, useRef } from 'react'
import { usePreferences } from '@/features/program'
import { requestKey, type RequestKey } from './keys'

export interface RequestKeysOptions {
  /** What each key answers; a key without an answer does nothing. */
  answers: Partial<Record<Exclude<RequestKey, 'next' | 'previous'>, () => void>>
  /** Whether the request can still be answered. */
  waits: boolean
  onStep: (by: -1 | 1) => void
}

/** Listens to the keys of the open request, unless something is open above it. */
export function useRequestKeys(options: RequestKeysOptions): void {
  const { letterShortcuts } = usePreferences()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return
      const key = requestKey(event, isTyping(event.target), letterShortcuts)
      if (key === undefined || event.repeat) return
      event.preventDefault()
      perform(key, latest.current)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [letterShortcuts])
}

export function perform(key: RequestKey, { answers, waits, onStep }: RequestKeysOptions): void {
  if (key === 'next' || key === 'previous') onStep(key === 'next' ? 1 : -1)
  else if (waits) answers[key]?.()
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(input|textarea|select)$/i.test(target.tagName)
}
