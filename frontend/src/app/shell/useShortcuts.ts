import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePreferences } from '@/features/program'
import { focusPane, focusSearch } from './panes'
import { sections } from './sections'
import { isTyping, onMac, shortcutOf, type Shortcut } from './shortcuts'

export interface Openers {
  palette: () => void
  help: () => void
  /** Stops all calls. */
  stop: () => void
}

/** What keys do though a dialog or a menu is open. */
const anywhere: ReadonlySet<Shortcut['does']> = new Set(['palette', 'stop'])

/** Listens to the keys of the whole window. */
export function useShortcuts({ palette, help, stop }: Openers): void {
  const navigate = useNavigate()
  const { letterShortcuts } = usePreferences()
  useEffect(() => {
    const run = (shortcut: Shortcut) => {
      if (shortcut.does === 'palette') palette()
      else if (shortcut.does === 'help') help()
      else if (shortcut.does === 'stop') stop()
      else if (shortcut.does === 'search') focusSearch()
      else if (shortcut.does === 'add') void navigate({ to: '/add' })
      else if (shortcut.does === 'section') goTo(shortcut.index)
      else focusPane(shortcut.does === 'next-pane' ? 1 : -1)
    }
    const goTo = (index: number) => {
      const section = sections[index]
      if (section) void navigate({ to: section.to })
    }
    const press = (event: KeyboardEvent) => {
      const open = document.querySelector('[role="dialog"], [role="menu"]') !== null
      const shortcut = shortcutOf(event, isTyping(event.target), letterShortcuts, onMac())
      if (shortcut === undefined || event.defaultPrevented || (open && !anywhere.has(shortcut.does))) return
      event.preventDefault()
      run(shortcut)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [navigate, letterShortcuts, palette, help, stop])
}
