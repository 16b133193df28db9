// A JSON value as the rows of a collapsible tree: only what is open becomes rows, and long things are cut.
import { isNumber, isObject, writeJson, type Json } from '@/lib/json'

export interface TreeRow {
  /** JSON pointer of the value; a closing row has its value's pointer with a trailing "/}" or "/]". */
  id: string
  depth: number
  /** The member's name; undefined for items and the root. */
  key: string | undefined
  comma: boolean
  content: RowContent
}

export type RowContent =
  | { kind: 'open'; bracket: '{' | '[' }
  | { kind: 'close'; bracket: '}' | ']' }
  /** A closed container with the number of its members or items. */
  | { kind: 'closed'; bracket: '{' | '['; count: number }
  | { kind: 'string'; text: string; cut: number }
  | { kind: 'number' | 'keyword'; text: string }
  /** Children that are not shown yet. */
  | { kind: 'more'; count: number }

export interface TreeView {
  open: ReadonlySet<string>
  /** How many children of a container are shown, beyond the first page; keyed by pointer. */
  shown: ReadonlyMap<string, number>
}

export const PAGE = 100
const MAX_STRING = 2000
/** Rows a tree starts with, about one screen. */
const FIRST_ROWS = 40
const FIRST_DEPTH = 3

/** The rows of a value, in order. */
export function treeRows(value: Json, view: TreeView): TreeRow[] {
  const rows: TreeRow[] = []
  addRows(rows, value, { id: '', depth: 0, key: undefined, comma: false }, view)
  return rows
}

type Seat = Omit<TreeRow, 'content'>

function addRows(rows: TreeRow[], value: Json, seat: Seat, view: TreeView): void {
  const children = childrenOf(value)
  if (!children) {
    rows.push({ ...seat, content: leaf(value) })
    return
  }
  const bracket = Array.isArray(value) ? '[' : '{'
  if (!view.open.has(seat.id) || children.length === 0) {
    rows.push({ ...seat, content: { kind: 'closed', bracket, count: children.length } })
    return
  }
  rows.push({ ...seat, comma: false, content: { kind: 'open', bracket } })
  const limit = view.shown.get(seat.id) ?? PAGE
  for (const [i, [key, child]] of children.slice(0, limit).entries()) {
    const comma = i < children.length - 1
    const id = childId(seat.id, key)
    const name = bracket === '{' ? key : undefined
    addRows(rows, child, { id, depth: seat.depth + 1, key: name, comma }, view)
  }
  if (children.length > limit) {
    const content: RowContent = { kind: 'more', count: children.length - limit }
    rows.push({ id: `${seat.id}/…`, depth: seat.depth + 1, key: undefined, comma: false, content })
  }
  const closing = bracket === '{' ? '}' : ']'
  const content: RowContent = { kind: 'close', bracket: closing }
  rows.push({ id: `${seat.id}/${closing}`, depth: seat.depth, key: undefined, comma: seat.comma, content })
}

function childrenOf(value: Json): [string, Json][] | undefined {
  if (Array.isArray(value)) return value.map((item, i) => [String(i), item])
  return isObject(value) ? Object.entries(value) : undefined
}

function childId(parent: string, key: string): string {
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function leaf(value: Json): RowContent {
  if (isNumber(value)) return { kind: 'number', text: String(value) }
  if (typeof value !== 'string') return { kind: 'keyword', text: writeJson(value) }
  const shown = value.length > MAX_STRING ? value.slice(0, MAX_STRING) : value
  return { kind: 'string', text: writeJson(shown), cut: value.length - shown.length }
}

/** What is open at first: the root, then level by level as long as it stays about a screen. */
export function firstView(value: Json): TreeView {
  const open = new Set<string>()
  let rows = 1
  let level: [string, Json][] = [['', value]]
  for (let depth = 0; level.length > 0 && depth < FIRST_DEPTH; depth++) {
    const next: [string, Json][] = []
    for (const [id, node] of level) {
      const children = childrenOf(node) ?? []
      const added = Math.min(children.length, PAGE) + 1
      if (children.length === 0 || (open.size > 0 && rows + added > FIRST_ROWS)) continue
      open.add(id)
      rows += added
      next.push(...children.slice(0, PAGE).map(([key, child]): [string, Json] => [childId(id, key), child]))
    }
    level = next
  }
  return { open, shown: new Map() }
}

/** Opens or closes a container. */
export function toggle(view: TreeView, id: string): TreeView {
  const open = new Set(view.open)
  if (!open.delete(id)) open.add(id)
  return { ...view, open }
}

/** Shows the next page of a container's children; id is the one of its "more" row. */
export function showMore(view: TreeView, id: string): TreeView {
  const parent = id.slice(0, -'/…'.length)
  const shown = new Map(view.shown)
  shown.set(parent, (shown.get(parent) ?? PAGE) + PAGE)
  return { ...view, shown }
}

/** The row of the container that holds the given row; -1 at the root. */
export function parentRow(rows: readonly TreeRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0
  for (let i = index - 1; i >= 0; i--) {
    if ((rows[i]?.depth ?? 0) < depth) return i
  }
  return -1
}
