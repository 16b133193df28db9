import { Outlet } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { HaltBar, useStopAll } from '@/features/halt'
import { InPlaceProvider } from '@/features/inbox'
import { Palette } from '@/features/palette'
import { useStatus } from '@/features/program'
import { isUnreachable } from '@/lib/api'
import { CoreUnreachable } from './CoreUnreachable'
import { NewRequests } from './NewRequests'
import { ShortcutsDialog } from './ShortcutsDialog'
import { Sidebar } from './Sidebar'
import { useDocumentTitle } from './useDocumentTitle'
import { useNetworkNotifications, useNotifications } from './useNotifications'
import { useShortcuts } from './useShortcuts'

/** The frame of every page but the wizard: sidebar, safran bar, palette, shortcuts. */
export function Shell() {
  const [open, setOpen] = useState<'palette' | 'help' | undefined>()
  const status = useStatus()
  const close = useCallback(() => setOpen(undefined), [])
  const palette = useCallback(() => setOpen('palette'), [])
  const help = useCallback(() => setOpen('help'), [])
  useShortcuts({ palette, help, stop: useStopAll() })
  useDocumentTitle(status.data?.inbox ?? 0)
  useNotifications(status.data?.inbox)
  useNetworkNotifications()
  return (
    <div className="grid h-full grid-cols-[var(--w-sidebar)_minmax(0,1fr)] max-md:grid-cols-[var(--w-rail)_minmax(0,1fr)]">
      <Sidebar onSearch={palette} />
      <main className="relative flex min-h-0 min-w-0 flex-col border-l border-line bg-canvas [--wire-ground:var(--bg-canvas)]">
        <InPlaceProvider>
          <HaltBar />
          <NewRequests />
          <Outlet />
        </InPlaceProvider>
        {isUnreachable(status.error) && (
          <CoreUnreachable since={status.dataUpdatedAt} onRetry={() => void status.refetch()} />
        )}
      </main>
      <Palette open={open === 'palette'} onClose={close} />
      <ShortcutsDialog open={open === 'help'} onClose={close} />
    </div>
  )
}
