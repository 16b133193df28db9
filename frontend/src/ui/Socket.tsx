import clsx from 'clsx'
import type { ReactNode } from 'react'
import { toneMark, type Tone } from './tone'

const ring = <circle cx="8" cy="8" r="6.2" />
const dot = (r: number) => <circle cx="8" cy="8" r={r} fill="currentColor" stroke="none" />

/** The inside of the ring tells the state; the colour only repeats it. */
const shapes = {
  ready: (
    <>
      {ring}
      {dot(2.9)}
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="6.2" opacity=".3" />
      <path d="M8 1.8a6.2 6.2 0 0 1 5.9 8.1" className="origin-center animate-turn" />
      {dot(1.6)}
    </>
  ),
  signin: (
    <>
      {ring}
      <circle cx="8" cy="6.6" r="1.5" fill="currentColor" stroke="none" />
      <path d="M8 7v4" />
    </>
  ),
  hold: (
    <>
      {ring}
      <path d="M6.2 5.6v4.8M9.8 5.6v4.8" />
    </>
  ),
  degraded: (
    <>
      {ring}
      <path d="M3.6 8a4.4 4.4 0 0 0 8.8 0z" fill="currentColor" stroke="none" />
    </>
  ),
  stopped: (
    <>
      {ring}
      <path d="m5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4" />
    </>
  ),
  off: ring,
  found: <circle cx="8" cy="8" r="6.2" strokeDasharray="2.4 2.5" />,
  done: (
    <>
      {ring}
      <path d="m5.4 8.2 1.8 1.8 3.4-3.8" />
    </>
  ),
  denied: (
    <>
      {ring}
      <path d="M5.2 8h5.6" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type SocketShape = keyof typeof shapes

export interface SocketProps {
  shape: SocketShape
  tone?: Tone
  /** Edge in pixels, 16 by default. */
  size?: number
  /** Draws the arc as progress from 0 to 1 in place of the turning one. */
  progress?: number
  className?: string
}

/** The state glyph of the product. It is decorative: a word or a text alternative stands beside it. */
export function Socket({ shape, tone = 'neutral', size = 16, progress, className }: SocketProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      className={clsx('block flex-none', toneMark[tone], className)}
    >
      {progress === undefined ? shapes[shape] : <Progress part={progress} />}
    </svg>
  )
}

function Progress({ part }: { part: number }) {
  const round = 2 * Math.PI * 6.2
  return (
    <>
      <circle cx="8" cy="8" r="6.2" opacity=".3" />
      <circle cx="8" cy="8" r="6.2" strokeDasharray={`${round * part} ${round}`} transform="rotate(-90 8 8)" />
      {dot(1.6)}
    </>
  )
}
