import { describe, expect, it } from 'vitest'
import { parseJson, type Json } from '@/lib/json'
import { firstView, PAGE, parentRow, showMore, toggle, treeRows, type TreeRow } from './jsonTree'

function draw(rows: TreeRow[]): string[] {
  return rows.map(({ depth, key, comma, content }) => {
    const name = key === undefined ? '' : `"${key}": `
    const text =
      content.kind === 'closed'
        ? `${content.bracket}${content.count}`
        : content.kind === 'more'
          ? `+${content.count}`
          : 'text' in content
            ? content.text
            : content.bracket
    return `${'  '.repeat(depth)}${name}${text}${comma ? ',' : ''}`
  })
}

const sample = parseJson('{"n":3,"ok":false,"items":[{"id":9007199254740993,"user":{"a":1}},null],"none":{}}')

describe('treeRows', () => {
  it('draws what is open and counts what is closed', () => {
    const view = { open: new Set(['', '/items', '/items/0']), shown: new Map() }
    expect(draw(treeRows(sample, view))).toEqual([
      '{',
      '  "n": 3,',
      '  "ok": false,',
      '  "items": [',
      '    {',
      '      "id": 9007199254740993,',
      '      "user": {1',
      '    },',
      '    null',
      '  ],',
      '  "none": {0',
      '}',
    ])
  })

  it('has one row for a closed root and for a bare value', () => {
    expect(draw(treeRows(sample, { open: new Set(), shown: new Map() }))).toEqual(['{4'])
    expect(draw(treeRows('x', firstView('x')))).toEqual(['"x"'])
  })

  it('gives every row its own id, also for awkward names', () => {
    const value = parseJson('{"":{"":1},"a/b":{"c":1},"a":{"b":{"c":2}},"…":[]}')
    const ids = treeRows(value, firstView(value)).map((row) => row.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('pages a long list and cuts a long text', () => {
    const list: Json = Array.from({ length: PAGE + 150 }, (_, i) => i)
    let view = firstView(list)
    expect(treeRows(list, view).at(-2)?.content).toEqual({ kind: 'more', count: 150 })
    view = showMore(view, '/…')
    expect(treeRows(list, view).at(-2)?.content).toEqual({ kind: 'more', count: 50 })
    view = showMore(view, '/…')
    expect(treeRows(list, view)).toHaveLength(PAGE + 152)
    expect(treeRows('x'.repeat(5000), view)[0]?.content).toMatchObject({ kind: 'string', cut: 3000 })
  })

  it('stays small for a million values', () => {
    const big: Json = Array.from({ length: 1000 }, () => Array.from({ length: 1000 }, () => 0))
    expect(treeRows(big, firstView(big)).length).toBeLessThan(300)
  })
})

describe('firstView', () => {
  it('opens the first levels and stops before the screen is full', () => {
    const items: Json = Array.from({ length: 6 }, () => ({ a: 1, b: 2, c: 3, d: 4, e: { f: 1 }, g: 1 }))
    const view = firstView({ items })
    expect([...view.open]).toEqual(['', '/items', '/items/0', '/items/1', '/items/2', '/items/3'])
  })
})

it('toggles, and finds the parent of a row', () => {
  const view = toggle(firstView(sample), '/items')
  expect(view.open.has('/items')).toBe(false)
  expect(toggle(view, '/items').open.has('/items')).toBe(true)
  const rows = treeRows(sample, firstView(sample))
  const id = rows.findIndex((row) => row.id === '/items/0/id')
  expect(rows[parentRow(rows, id)]?.id).toBe('/items/0')
  expect(parentRow(rows, 0)).toBe(-1)
})
