import clsx from 'clsx'
import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface PopoverProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The button that opens it. */
  trigger: ReactNode
  /** The accessible name. */
  label: string
  children: ReactNode
  side?: 'top' | 'bottom'
  className?: string
}

/** A small panel beside its button, for a choice with more than a menu's words. */
export function Popover({ open, onOpenChange, trigger, label, children, side = 'bottom', className }: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={clsx(
            'z-50 w-[340px] max-w-[calc(100vw-16px)] animate-rise rounded-card bg-raised p-4 shadow-menu focus-visible:shadow-menu',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
