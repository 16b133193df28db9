import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { ToggleGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import { Icon } from './Icon'

export interface Segment<T extends string> {
  value: T
  label: ReactNode
  count?: number
  icon?: LucideIcon
}

export interface SegmentedProps<T extends string> {
  value: T
  onChange: (value: T) => void
  segments: readonly Segment<T>[]
  label: string
  small?: boolean
  /** Fills the width in equal parts. */
  wide?: boolean
}

/** Two to four values side by side; arrows move, exactly one is on. */
export function Segmented<T extends string>({
  value,
  onChange,
  segments,
  label,
  small = false,
  wide = false,
}: SegmentedProps<T>) {
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      onValueChange={(next) => {
        if (next !== '') onChange(next as T)
      }}
      aria-label={label}
      className={clsx(
        'rounded-[7px] border border-line bg-sunken p-0.5',
        small ? 'h-7' : 'h-8',
        wide ? 'flex' : 'inline-flex',
      )}
    >
      {segments.map((segment) => (
        <ToggleGroup.Item
          key={segment.value}
          value={segment.value}
          className={clsx(
            'flex items-center gap-1.5 rounded-[5px] whitespace-nowrap text-ink-2 hover:text-ink data-[state=on]:bg-surface data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:shadow-card dark:data-[state=on]:bg-raised',
            'data-[state=on]:focus-visible:shadow-[var(--focus-ring)]',
            small ? 'px-2 text-[12px]' : 'px-2.5 text-small',
            wide && 'flex-1 justify-center',
          )}
        >
          {segment.icon && <Icon of={segment.icon} size={13} />}
          {segment.label}
          {segment.count !== undefined && <span className="px-2.5 text-ink-3">{segment.count}</span>}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
