import { fold } from '@/features/connexions'
import type { Entry, Group } from './entries'

export const maxRows = 10
const order: readonly Group[] = ['waiting', 'recent', 'servers', 'tools', 'actions', 'elsewhere']
/** How many rows a group may take while others have matches too. */
const share: Partial<Record<Group, number>> = { servers: 3, tools: 4, actions: 3, elsewhere: 2 }

/** How well a text fits: 0 not at all, 3 at its start, 2 at a word's start, 1 inside. */
export function fit(text: string, word: string): number {
  const folded = fold(text)
  const at = folded.indexOf(word)
  if (at < 0) return 0
  if (at === 0) return 3
  return new RegExp(`[^\\p{L}\\p{N}]${escaped(word)}`, 'u').test(folded) ? 2 : 1
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The rows for what was typed; ">" in front keeps actions only. At most ten, in the order of the groups. */
export function find(entries: readonly Entry[], typed: string): Entry[] {
  const actionsOnly = typed.trimStart().startsWith('>')
  const words = fold(typed.replace(/^\s*>/, '')).split(/\s+/).filter(Boolean)
  const scored = entries
    .filter(({ group }) => !actionsOnly || group === 'actions')
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
  return inGroups(scored)
}

function scoreOf({ label, note = '' }: Entry, words: readonly string[]): number {
  let total = 1
  for (const word of words) {
    const best = Math.max(fit(label, word) * 2, fit(note, word))
    if (best === 0) return 0
    total += best
  }
  return total
}

/** Gives each group its share, then fills up to ten with what is left. */
function inGroups(entries: readonly Entry[]): Entry[] {
  const kept = new Set<Entry>()
  for (const group of order) {
    const own = entries.filter((entry) => entry.group === group)
    for (const entry of own.slice(0, share[group] ?? maxRows)) kept.add(entry)
  }
  for (const entry of entries) if (kept.size < maxRows) kept.add(entry)
  return order.flatMap((group) => entries.filter((entry) => entry.group === group && kept.has(entry))).slice(0, maxRows)
}

/** Splits a label into what matches and what does not. */
export function marks(label: string, typed: string): { text: string; hit: boolean }[] {
  const words = fold(typed.replace(/^\s*>/, '')).split(/\s+/).filter(Boolean).map(escaped)
  // Folding can change the length of a text with rare letters; such a label is shown unmarked.
  if (words.length === 0 || fold(label).length !== label.length) return [{ text: label, hit: false }]
  const parts: { text: string; hit: boolean }[] = []
  let at = 0
  for (const match of fold(label).matchAll(new RegExp(words.join('|'), 'g'))) {
    if (match.index > at) parts.push({ text: label.slice(at, match.index), hit: false })
    parts.push({ text: label.slice(match.index, match.index + match[0].length), hit: true })
    at = match.index + match[0].length
  }
  if (at < label.length) parts.push({ text: label.slice(at), hit: false })
  return parts
}
