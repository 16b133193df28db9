import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Tile } from './Tile'

/** The wire drawn across: who asks, the gate, who answers. Children are Stop and Line in turn. */
export function Route({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <div className="flex items-center max-sm:flex-col max-sm:items-stretch" role="group" aria-label={label}>
      {children}
    </div>
  )
}

export interface StopProps {
  icon?: LucideIcon
  /** What stands in place of the icon, such as the socket of the gate. */
  mark?: ReactNode
  name: ReactNode
  note: ReactNode
  /** The stop where a person decides. */
  gate?: boolean
}

export function Stop({ icon, mark, name, note, gate = false }: StopProps) {
  return (
    <div
      className={clsx(
        'flex min-w-0 items-center gap-[9px] rounded-[9px] border py-[7px] pr-3 pl-2 max-md:px-2.5 max-md:py-1.5',
        gate ? 'border-attn-line bg-attn-soft' : 'border-line bg-surface',
      )}
    >
      {mark}
      {icon && <Tile icon={icon} size="small" className="max-md:hidden" />}
      <div className="min-w-0">
        <b className="block truncate text-[13px] leading-[17px] font-[550]">{name}</b>
        <small className={clsx('block truncate text-[11.5px] leading-[15px]', gate ? 'text-attn-text' : 'text-ink-3')}>
          {note}
        </small>
      </div>
    </div>
  )
}

const end =
  "max-sm:before:hidden max-sm:after:hidden before:absolute before:-top-[5px] before:-left-1 before:size-3 before:rounded-full before:border-2 before:border-line-control before:bg-[var(--wire-ground,var(--bg-surface))] before:content-[''] after:absolute after:-top-[5px] after:-right-1 after:size-3 after:rounded-full after:border-2 after:border-line-control after:bg-[var(--wire-ground,var(--bg-surface))] after:content-['']"

/** A stretch of wire between two stops: solid has happened, dashed has not. */
export function Line({ dashed = false }: { dashed?: boolean }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'relative h-0.5 min-w-[30px] flex-1 max-md:min-w-4 max-sm:h-3 max-sm:w-0.5 max-sm:min-w-0 max-sm:flex-none max-sm:self-center',
        dashed
          ? 'bg-[repeating-linear-gradient(90deg,var(--line-control)_0_4px,transparent_4px_8px)]'
          : 'bg-line-control',
        end,
      )}
    />
  )
}

/** The wire drawn down: a sequence. Children are Steps. */
export function Sequence({ children, className, label }: { children: ReactNode; className?: string; label?: string }) {
  return (
    <ol className={className} aria-label={label}>
      {children}
    </ol>
  )
}

export interface StepProps {
  /** The socket on the wire. */
  mark: ReactNode
  children: ReactNode
  /** The wire below the socket; none for the last step. */
  below?: 'solid' | 'dashed' | 'ok' | 'none'
  className?: string
}

const belows = {
  solid: 'before:bg-line',
  ok: 'before:bg-ok-line',
  dashed: 'before:bg-[repeating-linear-gradient(180deg,var(--line-control)_0_3px,transparent_3px_6px)]',
  none: 'before:hidden',
}

export function Step({ mark, children, below = 'solid', className }: StepProps) {
  return (
    <li
      className={clsx(
        "relative flex gap-[11px] before:absolute before:top-6 before:-bottom-2.5 before:left-[7.25px] before:w-[1.5px] before:content-['']",
        belows[below],
        className,
      )}
    >
      <span className="relative z-[1] grid h-[22px] flex-none place-items-center bg-[var(--wire-ground,var(--bg-surface))]">
        {mark}
      </span>
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  )
}
