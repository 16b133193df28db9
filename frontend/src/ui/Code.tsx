import clsx from 'clsx'
import type { ReactNode } from 'react'

export interface CodeProps {
  children: ReactNode
  className?: string
  /** Breaks long lines instead of scrolling. */
  wrap?: boolean
  label?: string
}

/** A block of what a machine reads: proof, a command, JSON. It scrolls, so it can take the focus. */
export function Code({ children, className, wrap = false, label }: CodeProps) {
  return (
    <pre
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling block must be reachable by keys
      tabIndex={0}
      role={label === undefined ? undefined : 'group'}
      aria-label={label}
      className={clsx(
        'overflow-auto rounded-lg border border-line-subtle bg-sunken px-3 py-2.5 font-code text-[12px] leading-[18px]',
        wrap ? 'wrap-anywhere whitespace-pre-wrap' : 'whitespace-pre',
        className,
      )}
    >
      {children}
    </pre>
  )
}
