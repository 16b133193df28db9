import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'

interface InPlace {
  ids: ReadonlySet<string>
  /** Says that a request is on screen. Returns the way to take it back. */
  show: (id: string) => () => void
}

const Shown = createContext<InPlace>({ ids: new Set(), show: () => () => undefined })

/** Knows which requests are on screen where their call was made, for what would point to them. */
export function InPlaceProvider({ children }: { children: ReactNode }) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const show = useCallback((id: string) => {
    setIds((before) => new Set(before).add(id))
    return () => setIds((before) => new Set([...before].filter((other) => other !== id)))
  }, [])
  const value = useMemo(() => ({ ids, show }), [ids, show])
  return <Shown value={value}>{children}</Shown>
}

/** The requests that are on screen where their call was made. */
export const useInPlace = (): ReadonlySet<string> => useContext(Shown).ids

/** Says that a request is on screen, for as long as the component is. */
export function useShownInPlace(id: string): void {
  const { show } = useContext(Shown)
  useEffect(() => show(id), [show, id])
}
