import type { Change } from './types'

export interface ChangeListener {
  change: (change: Change) => void
  /** Changes may have been missed before now. */
  connected: () => void
  /** Changes cannot be heard until connected is called again. */
  lost: () => void
}

interface WailsWindow {
  runtime?: { EventsOn: (name: string, hear: (change: Change) => void) => () => void }
}

/** Listens to what changes: through Wails in the window, through Server-Sent Events in a browser. */
export function onChanges(listener: ChangeListener): () => void {
  const { runtime } = window as WailsWindow
  if (runtime) return runtime.EventsOn('apollia', listener.change)
  const stream = new EventSource('/api/events')
  stream.onmessage = (message: MessageEvent<string>) => listener.change(JSON.parse(message.data) as Change)
  stream.onopen = listener.connected
  stream.onerror = listener.lost
  return () => stream.close()
}
