import { useEffect, useRef, useState } from 'react'

/**
 * The fields that a person was in and left. A field left by pressing the pointer counts once the press is over: an
 * error that appears before would move what is being clicked.
 */
export function useLeftFields(): { left: ReadonlySet<string>; leave: (field: string) => void } {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const pressed = useRef(false)
  useEffect(() => {
    const press = () => (pressed.current = true)
    const release = () => (pressed.current = false)
    window.addEventListener('pointerdown', press, true)
    window.addEventListener('pointerup', release, true)
    window.addEventListener('pointercancel', release, true)
    return () => {
      window.removeEventListener('pointerdown', press, true)
      window.removeEventListener('pointerup', release, true)
      window.removeEventListener('pointercancel', release, true)
    }
  }, [])
  const leave = (field: string) => {
    const count = () => setLeft((now) => new Set(now).add(field))
    if (pressed.current) window.addEventListener('pointerup', () => setTimeout(count), { once: true })
    else count()
  }
  return { left, leave }
}
