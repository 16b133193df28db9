import type { ReactNode } from 'react'

export function KeyValueList({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_1fr] gap-x-3.5 gap-y-[5px] text-small">{children}</dl>
}

export function KeyValue({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="m-0 min-w-0">{children}</dd>
    </>
  )
}
