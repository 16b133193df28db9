import clsx from 'clsx'
import { Check, ChevronDown, type LucideIcon } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import type { FieldControl } from './Field'
import { Icon } from './Icon'

export interface Option<T extends string> {
  value: T
  label: ReactNode
  icon?: LucideIcon
}

export interface SelectProps<T extends string> extends Partial<FieldControl> {
  value: T
  options: readonly Option<T>[]
  onChange: (value: T) => void
  /** The accessible name, where there is no field around. */
  label?: string
  look?: 'field' | 'chip'
  className?: string
}

const looks = {
  field: 'h-8 w-full rounded-control border-line-control px-2.5 text-[13px]',
  chip: 'h-7 rounded-[14px] border-line px-2.5 text-small font-medium',
}

/** One of several values that are known. */
export function Select<T extends string>({
  value,
  options,
  onChange,
  label,
  look = 'field',
  className,
  ...control
}: SelectProps<T>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as T)}>
      <Radix.Trigger
        {...control}
        aria-label={label}
        className={clsx('inline-flex min-w-0 items-center gap-1.5 border bg-surface text-ink', looks[look], className)}
      >
        <span className="min-w-0 flex-1 truncate text-left">
          <Radix.Value />
        </span>
        <Icon of={ChevronDown} size={14} className="text-ink-3" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-[var(--radix-select-content-available-height)] min-w-[var(--radix-select-trigger-width)] animate-rise overflow-auto rounded-lg bg-raised p-1 shadow-menu"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex h-8 items-center gap-2 rounded-control px-2 text-[13px] outline-none data-[highlighted]:bg-selected"
              >
                {option.icon && <Icon of={option.icon} size={15} className="text-ink-3" />}
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator className="ml-auto pl-3 text-accent-text">
                  <Icon of={Check} size={14} />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
