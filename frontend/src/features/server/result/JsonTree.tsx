import clsx from 'clsx'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '@/lib/json'
import { firstView, parentRow, showMore, toggle, treeRows, type TreeRow, type TreeView } from './jsonTree'

/** A JSON value as a tree: arrows move, right opens, left closes. */
export function JsonTree({ value, label }: { value: Json; label: string }) {
  const [view, setView] = useState<TreeView>(() => firstView(value))
  const [current, setCurrent] = useState('')
  const tree = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => treeRows(value, view), [value, view])
  const stops = rows.filter((row) => row.content.kind !== 'close')
  const go = (row: TreeRow | undefined) => {
    if (!row) return
    setCurrent(row.id)
    tree.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.id)}"]`)?.focus()
  }
  const act = (row: TreeRow) => setView(row.content.kind === 'more' ? showMore(view, row.id) : toggle(view, row.id))
  const press = (event: KeyboardEvent) => {
    const at = stops.findIndex((row) => row.id === current)
    const row = stops[at]
    if (!row) return
    const kind = row.content.kind
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(stops[at + 1]),
      ArrowUp: () => go(stops[at - 1]),
      Home: () => go(stops[0]),
      End: () => go(stops.at(-1)),
      ArrowRight: () => (kind === 'closed' || kind === 'more' ? act(row) : go(stops[at + 1])),
      ArrowLeft: () => (kind === 'open' ? act(row) : go(rows[parentRow(rows, rows.indexOf(row))])),
      Enter: () => kind !== 'string' && act(row),
    }
    const move = moves[event.key]
    if (!move || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    move()
  }
  return (
    // eslint-disable-next-line jsx-a11y/interactive-supports-focus -- its items take the focus in turn (WAI-ARIA tree)
    <div
      ref={tree}
      role="tree"
      aria-label={label}
      onKeyDown={press}
      className="min-h-0 flex-1 overflow-auto py-2.5 pr-3.5 font-code text-[12px] leading-[19px] [font-feature-settings:normal]"
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          row={row}
          tabIndex={row.id === current ? 0 : -1}
          onFocus={() => setCurrent(row.id)}
          onClick={() => act(row)}
        />
      ))}
    </div>
  )
}

interface RowProps {
  row: TreeRow
  tabIndex: number
  onFocus: () => void
  onClick: () => void
}

function Row({ row, tabIndex, onFocus, onClick }: RowProps) {
  const { kind } = row.content
  const indent = { paddingLeft: `calc(22px + ${row.depth * 2}ch)` }
  if (kind === 'close') {
    return (
      <div role="presentation" style={indent}>
        {row.content.bracket}
        {row.comma && ','}
      </div>
    )
  }
  const opens = kind === 'open' || kind === 'closed'
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the tree's
    <div
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={tabIndex === 0}
      {...(opens ? { 'aria-expanded': kind === 'open' } : {})}
      data-row={row.id}
      tabIndex={tabIndex}
      style={indent}
      onFocus={onFocus}
      onClick={opens || kind === 'more' ? onClick : undefined}
      className={clsx('relative rounded-badge whitespace-pre', (opens || kind === 'more') && 'hover:bg-hover')}
    >
      <Twist kind={kind} />
      {row.key !== undefined && (
        <>
          <span className="text-code-key">{JSON.stringify(row.key)}</span>
          {': '}
        </>
      )}
      <Value content={row.content} />
      {row.comma && ','}
    </div>
  )
}

function Twist({ kind }: { kind: TreeRow['content']['kind'] }) {
  if (kind !== 'open' && kind !== 'closed') return null
  return (
    <span aria-hidden className="absolute left-2 text-[11px] text-ink-3">
      {kind === 'open' ? '▾' : '▸'}
    </span>
  )
}

function Value({ content }: { content: TreeRow['content'] }) {
  const { t } = useTranslation()
  switch (content.kind) {
    case 'open':
    case 'close':
      return content.bracket
    case 'closed':
      return (
        <span className="text-ink-3">
          {content.bracket === '{'
            ? content.count === 0
              ? '{}'
              : `{ ${t('server.result.members', { count: content.count })} }`
            : content.count === 0
              ? '[]'
              : `[ ${content.count} ]`}
        </span>
      )
    case 'more':
      return <span className="text-accent-text">{t('server.result.more', { count: content.count })}</span>
    case 'string':
      return (
        <>
          <span className="text-code-string">{content.text}</span>
          {content.cut > 0 && <span className="text-ink-3"> {t('server.result.cut', { count: content.cut })}</span>}
        </>
      )
    default:
      return <span className="text-code-number">{content.text}</span>
  }
}
