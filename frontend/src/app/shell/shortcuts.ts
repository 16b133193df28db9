/** What the keys of the whole window do. */
export type Shortcut =
  | { does: 'palette' | 'stop' | 'search' | 'add' | 'help' | 'next-pane' | 'previous-pane' }
  | { does: 'section'; index: number }

export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** Says what a key press means, if anything. typing: the focus is in a field. letters: one-letter shortcuts are on. */
export function shortcutOf(press: KeyPress, typing: boolean, letters: boolean, mac: boolean): Shortcut | undefined {
  if (press.altKey) return undefined
  if (press.key === 'F6') return { does: press.shiftKey ? 'previous-pane' : 'next-pane' }
  if (mac ? press.metaKey : press.ctrlKey) return withCommand(press.key)
  if (press.ctrlKey || press.metaKey || typing || !letters) return undefined
  if (press.key === '/') return { does: 'search' }
  return press.key === '?' ? { does: 'help' } : undefined
}

function withCommand(key: string): Shortcut | undefined {
  const letter = key.toLowerCase()
  if (letter === 'k') return { does: 'palette' }
  if (letter === 'n') return { does: 'add' }
  if (key === '.') return { does: 'stop' }
  return /^[1-7]$/.test(key) ? { does: 'section', index: Number(key) - 1 } : undefined
}

/** Whether keys go into a text at this element. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  )
}

export const onMac = () => navigator.userAgent.includes('Mac')
