import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type ReactNode } from 'react'

export interface VirtualListProps<T> {
  items: readonly T[]
  /** The height of a row in pixels; rows that differ are measured. */
  rowHeight: number
  keyOf: (item: T) => string
  children: (item: T, index: number) => ReactNode
  label: string
  className?: string
}

/** A long list of which only the visible rows exist. */
export function VirtualList<T>({ items, rowHeight, keyOf, children, label, className }: VirtualListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer is made to be read while rendering
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: 12,
  })
  return (
    <div ref={scroller} className={className} style={{ overflowY: 'auto' }}>
      <ul aria-label={label} className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const item = items[row.index]
          return item === undefined ? null : (
            <li
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {children(item, row.index)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
