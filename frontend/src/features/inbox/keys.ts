/** What a key press means on a request that waits. */
export type RequestKey = 'deny' | 'once' | 'session' | 'always' | 'next' | 'previous'

export interface KeyPress {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/**
 * Reads a key press. typing: the focus is in a text, where only Ctrl Enter and Alt keys count. letters: shortcuts of one
 * letter are on. Alt keys are read by their place on the keyboard, since Alt changes the letter on some systems.
 */
export function requestKey(press: KeyPress, typing: boolean, letters: boolean): RequestKey | undefined {
  if (press.shiftKey) return undefined
  if (press.key === 'Enter' && (press.ctrlKey || press.metaKey) && !press.altKey) return 'once'
  if (press.ctrlKey || press.metaKey) return undefined
  if (press.altKey) return press.code === 'KeyS' ? 'session' : press.code === 'KeyT' ? 'always' : undefined
  if (typing) return undefined
  if (press.key === 'Escape') return 'deny'
  if (!letters) return undefined
  const letter = press.key.toLowerCase()
  if (letter === 'j') return 'next'
  return letter === 'k' ? 'previous' : undefined
}
