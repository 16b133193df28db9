import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface TooltipProps {
  /** Repeats or completes what is on screen; never the only place of something that matters. */
  text: ReactNode
  children: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
}

export const TooltipProvider = Radix.Provider

export function Tooltip({ text, children, side = 'top' }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-[320px] animate-fade rounded-control bg-raised px-2 py-1 text-small text-ink shadow-menu"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
