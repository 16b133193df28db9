import type { ReactNode } from 'react'

export interface EmptyStateProps {
  /** An icon, a socket or the drawing made of the wire. */
  mark?: ReactNode
  title: ReactNode
  /** It is the whole page, so its title is the page's. */
  page?: boolean
  children?: ReactNode
  actions?: ReactNode
}

/** One sentence, the last fact, one way on. */
export function EmptyState({ mark, title, page = false, children, actions }: EmptyStateProps) {
  const Title = page ? 'h1' : 'h2'
  return (
    <div className="flex max-w-full flex-col items-center gap-1 px-[22px] pt-[18px] pb-3 text-center">
      {mark && <div className="mb-2 text-ink-3">{mark}</div>}
      <Title className="text-lead font-semibold">{title}</Title>
      {children !== undefined && (
        <div className="max-w-[min(380px,100%)] text-small wrap-break-word text-ink-2">{children}</div>
      )}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

/** The wire with a gate in its middle that holds nothing: "nothing waits". */
export function QuietWire() {
  return (
    <svg
      width="132"
      height="24"
      viewBox="0 0 132 24"
      fill="none"
      stroke="var(--line-control)"
      strokeWidth="2"
      aria-hidden
    >
      <path d="M6 12h48M78 12h48" />
      <circle cx="6" cy="12" r="4" fill="var(--bg-canvas)" />
      <circle cx="126" cy="12" r="4" fill="var(--bg-canvas)" />
      <circle cx="66" cy="12" r="9" stroke="var(--ok)" />
      <path d="m61.8 12.3 2.8 2.8 5.4-6" stroke="var(--ok)" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
