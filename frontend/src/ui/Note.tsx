import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './Icon'
import { toneMark, type Tone } from './tone'

const grounds: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink-2',
  ok: 'bg-ok-soft text-ink',
  attn: 'bg-attn-soft text-ink',
  danger: 'bg-danger-soft text-ink',
  accent: 'bg-accent-soft text-ink',
}

export interface NoteProps {
  tone?: Tone
  icon?: LucideIcon
  children: ReactNode
  className?: string
  role?: 'alert' | 'status' | 'note'
  id?: string
}

/** One to three sentences that stand out of the page. */
export function Note({ tone = 'neutral', icon, children, className, role, id }: NoteProps) {
  return (
    <div
      id={id}
      role={role}
      className={clsx('flex gap-2.5 rounded-lg px-3 py-2.5 text-small', grounds[tone], className)}
    >
      {icon && <Icon of={icon} className={clsx('mt-px', tone === 'neutral' ? '' : toneMark[tone])} />}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
