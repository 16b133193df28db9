import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './Icon'
import type { Tone } from './tone'

const tones: Record<Tone, string> = {
  neutral: 'border-line-subtle bg-sunken text-ink-2',
  ok: 'border-transparent bg-ok-soft text-ok-text',
  attn: 'border-transparent bg-attn-soft text-attn-text',
  danger: 'border-transparent bg-danger-soft text-danger-text',
  accent: 'border-transparent bg-accent-soft text-accent-text',
}

export interface BadgeProps {
  children: ReactNode
  tone?: Tone
  icon?: LucideIcon
  /** What a machine reads: a revision, a name. */
  code?: boolean
  /** Without a box. */
  plain?: boolean
  className?: string
}

export function Badge({ children, tone = 'neutral', icon, code = false, plain = false, className }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex h-[18px] flex-none items-center gap-1 rounded-badge border text-[11.5px] leading-[18px] whitespace-nowrap',
        plain ? 'border-transparent text-ink-2' : clsx('px-1.5', tones[tone]),
        code && 'font-code text-[11px]! [font-feature-settings:normal]',
        className,
      )}
    >
      {icon && <Icon of={icon} size={12} />}
      {children}
    </span>
  )
}

/** How many things wait for a person. */
export function Count({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <span
      className={clsx(
        'h-[18px] min-w-5 rounded-[9px] bg-attn px-1.5 text-center text-[11.5px] leading-[18px] font-semibold text-on-attn',
        className,
      )}
    >
      {children}
    </span>
  )
}
