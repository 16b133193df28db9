import { useState } from 'react'

const kept = 'apollia.server.traffic'

/** Whether the traffic is open; it stays as it was from tab to tab, from server to server and from start to start. */
export function useTrafficOpen(): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(() => localStorage.getItem(kept) === 'open')
  return [
    open,
    (next) => {
      localStorage.setItem(kept, next ? 'open' : 'closed')
      setOpen(next)
    },
  ]
}
