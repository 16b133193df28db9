import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const css = readFileSync(resolve(import.meta.dirname, '../styles/tokens.css'), 'utf8')

function tokens(block: RegExp): Record<string, string> {
  const text = block.exec(css)?.[0] ?? ''
  const found = [...text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)]
  return Object.fromEntries(found.map(([, name = '', colour = '']) => [name, colour]))
}

const light = tokens(/:root \{[\s\S]*?\n\}/)
const dark = { ...light, ...tokens(/\[data-theme="dark"\] \{[\s\S]*?\n\}/) }

/** Relative luminance and contrast ratio of WCAG 2.2. */
function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

const pairs: [string, string][] = []
const grounds = ['bg-window', 'bg-canvas', 'bg-surface', 'bg-raised', 'bg-sunken', 'bg-selected']
for (const text of ['text', 'text-2', 'text-3', 'accent-text']) for (const ground of grounds) pairs.push([text, ground])
for (const tone of ['attn', 'ok', 'danger'])
  for (const ground of [`${tone}-soft`, 'bg-surface', 'bg-canvas', 'bg-raised', 'bg-sunken'])
    pairs.push([`${tone}-text`, ground])
for (const ink of ['code-key', 'code-string', 'code-number', 'code-comment']) pairs.push([ink, 'bg-sunken'])
for (const diff of ['diff-add', 'diff-del', 'diff-add-strong', 'diff-del-strong']) pairs.push(['text', diff])
pairs.push(['accent-text', 'accent-soft'], ['text-3', 'accent-soft'], ['text-on-accent', 'accent'])
pairs.push(['text-on-accent', 'accent-hover'], ['on-attn', 'attn'], ['on-danger', 'danger'], ['text', 'danger-soft'])
pairs.push(['text', 'attn-soft'], ['text-2', 'attn-soft'], ['text-2', 'danger-soft'], ['text-2', 'ok-soft'])

const marks: [string, string][] = ['bg-surface', 'bg-canvas', 'bg-sunken', 'bg-raised'].flatMap((ground) =>
  ['line-control', 'attn-mark', 'focus', 'ok', 'switch-on', 'danger'].map((mark): [string, string] => [mark, ground]),
)

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s theme', (_name, theme) => {
  const ratio = ([over, under]: [string, string]) => contrast(theme[over] ?? '#000000', theme[under] ?? '#000000')

  it('knows every colour of the pairs', () => {
    expect([...pairs, ...marks].flat().filter((name) => theme[name] === undefined)).toEqual([])
  })

  it('keeps text at 4.8:1', () => {
    expect(pairs.filter((pair) => ratio(pair) < 4.8)).toEqual([])
  })

  it('keeps controls, glyphs and the focus ring at 3:1', () => {
    expect(marks.filter((pair) => ratio(pair) < 3)).toEqual([])
  })
})
