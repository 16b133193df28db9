import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Socket, type SocketShape } from './Socket'
import { toneText, type Tone } from './tone'

export interface StateWordProps {
  shape: SocketShape
  tone: Tone
  children: ReactNode
  progress?: number
  className?: string
}

/** A state is always a socket and a word. */
export function StateWord({ shape, tone, children, progress, className }: StateWordProps) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1.5 text-[13px] font-medium whitespace-nowrap',
        toneText[tone],
        className,
      )}
    >
      <Socket shape={shape} tone={tone} {...(progress === undefined ? {} : { progress })} />
      {children}
    </span>
  )
}
