import type { ReactNode } from 'react'
import { Socket } from './Socket'

/** The one-line safran bar on top of the page: something waits for a person elsewhere. */
export function Banner({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div
      role="status"
      className="flex animate-fade items-center gap-2.5 border-b border-attn-line bg-attn-soft px-[var(--px)] py-1.5 text-small"
    >
      <Socket shape="hold" tone="attn" />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {action}
    </div>
  )
}
