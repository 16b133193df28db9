import { useEffect, useState } from 'react'

/** Milliseconds since an instant, ticking while it runs; 0 for none. */
export function useElapsed(since: string | undefined, running: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return undefined
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [running])
  return since === undefined ? 0 : Math.max(0, now - new Date(since).getTime())
}
