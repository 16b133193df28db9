import clsx from 'clsx'
import type { ReactNode } from 'react'

export interface PageHeadProps {
  title: ReactNode
  /** One sentence of facts under the title. */
  facts?: ReactNode
  actions?: ReactNode
  /** What stands before the title, such as a way back. */
  before?: ReactNode
  /** A list follows at once. */
  tight?: boolean
}

export function PageHead({ title, facts, actions, before, tight = false }: PageHeadProps) {
  return (
    <header className={clsx('flex items-start gap-3 px-[var(--px)] pt-[18px]', tight ? 'pb-2.5' : 'pb-3')}>
      {before}
      <div className="min-w-0 flex-1">
        <h1 tabIndex={-1} className="text-title font-semibold tracking-[-.012em]">
          {title}
        </h1>
        {facts !== undefined && <div className="text-small text-ink-2">{facts}</div>}
      </div>
      {actions}
    </header>
  )
}

/** The part of a page that scrolls. */
export function PageBody({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={clsx('min-h-0 flex-1 overflow-y-auto px-[var(--px)] pt-1 pb-6', className)}>{children}</div>
}

/** The part with decisions at the bottom; it never scrolls away. */
export function PageFoot({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <footer className={clsx('flex items-center gap-2 border-t border-line bg-surface px-5 py-3', className)}>
      {children}
    </footer>
  )
}
