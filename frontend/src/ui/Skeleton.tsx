import { useEffect, useState, type ReactNode } from 'react'

export function Bone({ width, height = 10, round = 5 }: { width: number; height?: number; round?: number }) {
  return <i aria-hidden className="block max-w-full bg-line-subtle" style={{ width, height, borderRadius: round }} />
}

/** Shows what is loading only after 200 ms, so that fast answers do not flicker. */
export function Skeleton({ children, label }: { children: ReactNode; label: string }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-busy="true" aria-label={label}>
      {late && children}
    </div>
  )
}

/** A row in the shape of a server's, for lists that load. */
export function SkeletonRow({ name = 96, note = 168 }: { name?: number; note?: number }) {
  return (
    <div className="flex min-h-[54px] items-center gap-3 px-3.5 py-1.5">
      <Bone width={32} height={32} round={8} />
      <div className="min-w-0 flex-1 space-y-[7px]">
        <Bone width={name} height={11} />
        <Bone width={note} height={9} />
      </div>
      <Bone width={92} height={11} />
      <Bone width={32} height={18} round={9} />
    </div>
  )
}
