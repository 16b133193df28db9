import { Activity, Cable, Inbox, Settings2, ShieldCheck, type LucideIcon } from 'lucide-react'

export interface Section {
  to: '/' | '/inbox' | '/activity' | '/policy' | '/settings'
  /** The key of its name under shell.sections. */
  name: 'connexions' | 'inbox' | 'activity' | 'policy' | 'settings'
  icon: LucideIcon
  /** A line above it. */
  apart?: boolean
}

/** The sidebar, in the order of Ctrl 1 to 5: what is connected, what needs me, what happened, then the rest. */
export const sections: readonly Section[] = [
  { to: '/', name: 'connexions', icon: Cable },
  { to: '/inbox', name: 'inbox', icon: Inbox },
  { to: '/activity', name: 'activity', icon: Activity },
  { to: '/policy', name: 'policy', icon: ShieldCheck, apart: true },
  { to: '/settings', name: 'settings', icon: Settings2, apart: true },
]
