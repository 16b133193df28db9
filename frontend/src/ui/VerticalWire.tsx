import clsx from 'clsx'
import type { ReactNode } from 'react'

/** Stops one under the other on a wire, with a time at the right. */
export function VerticalWire({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <ol aria-label={label} className="[&>li:last-child]:pb-0 [&>li:last-child]:before:hidden">
      {children}
    </ol>
  )
}

export interface WireStopProps {
  mark: ReactNode
  name: ReactNode
  note: ReactNode
  after?: ReactNode
  /** The wire below: solid has happened, dashed has not. */
  below?: 'accent' | 'plain' | 'dashed'
  className?: string
}

const belows = {
  accent: 'before:bg-accent-line',
  plain: 'before:bg-line-control',
  dashed: 'before:bg-[repeating-linear-gradient(180deg,var(--line-control)_0_3px,transparent_3px_6px)]',
}

export function WireStop({ mark, name, note, after, below = 'accent', className }: WireStopProps) {
  return (
    <li
      className={clsx(
        "relative grid grid-cols-[16px_minmax(0,1fr)_auto] gap-2.5 pb-2.5 text-small leading-[17px] before:absolute before:top-[18px] before:-bottom-px before:left-[7.25px] before:w-[1.5px] before:content-['']",
        belows[below],
        className,
      )}
    >
      {mark}
      <div className="min-w-0">
        <b className="block truncate font-[550]">{name}</b>
        <span className="block text-[12px] leading-[17px] text-ink-3">{note}</span>
      </div>
      <span className="text-[12px] text-ink-2 tabular-nums">{after}</span>
    </li>
  )
}
