import clsx from 'clsx'
import type { ReactNode } from 'react'

export interface KbdProps {
  children: ReactNode
  /** Takes the colour of what it stands on. */
  inherit?: boolean
  className?: string
}

/** One key, as it is written on the keyboard. */
export function Kbd({ children, inherit = false, className }: KbdProps) {
  return (
    <kbd
      className={clsx(
        'inline-block min-w-[18px] rounded-badge border px-[5px] text-center font-sans text-[11px] leading-4 font-medium',
        inherit ? 'border-current opacity-80' : 'border-line bg-canvas text-ink-3',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
