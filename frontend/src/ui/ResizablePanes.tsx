import clsx from 'clsx'
import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'

export interface PaneWidth {
  /** Pixels at first, before a person moves the edge. */
  initial: number
  min: number
  max: number
}

export interface ResizablePanesProps {
  /** The name under which the width is remembered. */
  name: string
  width: PaneWidth
  /** The accessible name of the edge. */
  edgeLabel: string
  /** The pane with a width of its own. */
  pane: ReactNode
  /** The rest. */
  children: ReactNode
  /** Puts the pane at the right. */
  right?: boolean
  className?: string
}

const step = 16
const key = (name: string) => `apollia.pane.${name}`

function remembered(name: string, { initial, min, max }: PaneWidth): number {
  const kept = Number(localStorage.getItem(key(name)))
  return kept > 0 ? Math.min(Math.max(kept, min), max) : initial
}

/** Two panes with an edge that can be dragged, or moved with the arrows; the width is remembered. */
export function ResizablePanes({
  name,
  width,
  edgeLabel,
  pane,
  children,
  right = false,
  className,
}: ResizablePanesProps) {
  const [pixels, setPixels] = useState(() => remembered(name, width))
  const move = (next: number) => {
    const kept = Math.round(Math.min(Math.max(next, width.min), width.max))
    setPixels(kept)
    localStorage.setItem(key(name), String(kept))
  }
  const toward = right ? -1 : 1
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const from = event.clientX
    const edge = event.currentTarget
    edge.setPointerCapture(event.pointerId)
    edge.onpointermove = (moved) => move(pixels + (moved.clientX - from) * toward)
    edge.onpointerup = () => (edge.onpointermove = null)
  }
  const press = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: pixels - step * toward,
      ArrowRight: pixels + step * toward,
      Home: width.min,
      End: width.max,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    move(next)
  }
  const side = (
    <div style={{ width: pixels }} className="flex min-h-0 flex-none flex-col overflow-hidden">
      {pane}
    </div>
  )
  return (
    <div className={clsx('flex min-h-0 min-w-0 flex-1', className)}>
      {!right && side}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with a value is a widget (WAI-ARIA) */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={edgeLabel}
        aria-valuenow={pixels}
        aria-valuemin={width.min}
        aria-valuemax={width.max}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
        tabIndex={0}
        onPointerDown={drag}
        onKeyDown={press}
        onDoubleClick={() => move(width.initial)}
        className="relative z-10 w-px flex-none cursor-col-resize bg-line before:absolute before:inset-y-0 before:-inset-x-1.5 before:content-[''] hover:bg-accent-line focus-visible:bg-accent"
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
      {right && side}
    </div>
  )
}
