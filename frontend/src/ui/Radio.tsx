import clsx from 'clsx'
import { RadioGroup as Radix } from 'radix-ui'
import { useId, type ReactNode } from 'react'

export interface RadioGroupProps<T extends string> {
  value: T | ''
  onChange: (value: T) => void
  /** The accessible name of the group. */
  label: string
  children: ReactNode
  className?: string
}

export function RadioGroup<T extends string>({ value, onChange, label, children, className }: RadioGroupProps<T>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as T)} aria-label={label} className={className}>
      {children}
    </Radix.Root>
  )
}

function Dot({ value, labelledBy, describedBy }: { value: string; labelledBy: string; describedBy: string }) {
  return (
    <Radix.Item
      value={value}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className="relative mt-px size-[18px] flex-none rounded-full border-[1.5px] border-line-control bg-surface before:absolute before:-inset-[6px] before:content-[''] data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:shadow-[inset_0_0_0_3.5px_var(--bg-surface)] data-[state=checked]:focus-visible:shadow-[inset_0_0_0_3.5px_var(--bg-surface),var(--focus-ring)]"
    />
  )
}

export interface RadioProps {
  value: string
  chosen: boolean
  title: ReactNode
  /** Badges after the title. */
  badges?: ReactNode
  children: ReactNode
  /** Drawn at the right of a card. */
  drawing?: ReactNode
  /** Opens under a row that is chosen. */
  details?: ReactNode
  className?: string
}

/** A card with one radio: the whole card can be clicked. */
export function RadioCard({ value, chosen, title, badges, children, drawing, className }: RadioProps) {
  const id = useId()
  return (
    <label
      className={clsx(
        'flex items-start gap-3 rounded-card border bg-surface py-3 pr-4 pl-3.5 shadow-card',
        chosen ? 'border-accent shadow-[inset_0_0_0_1px_var(--accent)]!' : 'border-line',
        className,
      )}
    >
      <Dot value={value} labelledBy={`${id}-t`} describedBy={`${id}-d`} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span id={`${id}-t`} className="font-semibold">
            {title}
          </span>
          {badges}
        </span>
        <span id={`${id}-d`} className="block">
          {children}
        </span>
      </span>
      {drawing}
    </label>
  )
}

/** A row of a list with one radio; the chosen row opens in place. */
export function RadioRow({ value, chosen, title, badges, children, details, className }: RadioProps) {
  const id = useId()
  return (
    <div
      className={clsx(
        'flex gap-3 py-[11px] pr-4 pl-3.5',
        chosen && 'bg-[linear-gradient(90deg,var(--accent)_0_2px,transparent_2px)]',
        className,
      )}
    >
      <Dot value={value} labelledBy={`${id}-t`} describedBy={`${id}-d`} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-5 items-center gap-2">
          <span id={`${id}-t`} className="font-medium">
            {title}
          </span>
          {badges}
        </div>
        <div id={`${id}-d`} className="text-small text-ink-3">
          {children}
        </div>
        {details}
      </div>
    </div>
  )
}
