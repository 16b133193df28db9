import clsx from 'clsx'
import type { Transport } from '@/lib/api'

/** What is joined to what, in one stroke: one computer, two with one line, two with two lines. */
export function TransportDrawing({ transport, chosen }: { transport: Transport; chosen: boolean }) {
  const tall = transport === 'sse' ? { y: 10, height: 28 } : { y: 13, height: 22 }
  const right = transport === 'stdio' ? 91 : 101
  const lines = transport === 'sse' ? [18, 30] : [24]
  const from = 49
  const to = transport === 'stdio' ? 87 : 97
  return (
    <svg
      width="136"
      height="48"
      viewBox="0 0 136 48"
      fill="none"
      strokeWidth="2"
      aria-hidden
      className={clsx('ml-4 flex-none self-center max-md:hidden', chosen ? 'stroke-accent' : 'stroke-line-control')}
    >
      <rect
        x="1"
        y="3"
        width={transport === 'stdio' ? 134 : 54}
        height="42"
        rx="9"
        strokeWidth="1.5"
        strokeDasharray="4 4"
        className={chosen ? 'stroke-accent-line' : 'stroke-line'}
      />
      <rect
        x="11"
        width="34"
        rx="5"
        {...tall}
        strokeWidth="1.5"
        className={chosen ? 'fill-accent-soft' : 'fill-sunken'}
      />
      <rect
        x={right}
        width="34"
        rx="5"
        {...tall}
        strokeWidth="1.5"
        className={chosen ? 'fill-accent-soft' : 'fill-sunken'}
      />
      {lines.map((y, n) => (
        <path key={y} d={`M${from} ${y}H${to}`} strokeDasharray={n === 1 ? '3 5' : undefined} />
      ))}
      {lines.flatMap((y) => [
        <circle key={`${y}a`} cx={from} cy={y} r="3.4" className="fill-surface" />,
        <circle key={`${y}b`} cx={to} cy={y} r="3.4" className="fill-surface" />,
      ])}
    </svg>
  )
}
