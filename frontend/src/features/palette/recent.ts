import type { Entry } from './entries'

const kept = 'apollia.recent'
const most = 5

/** The keys of the entries that were chosen lately, the latest first. */
export function recentKeys(): string[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(kept) ?? '[]')
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

export function remember(key: string): void {
  localStorage.setItem(kept, JSON.stringify([key, ...recentKeys().filter((other) => other !== key)].slice(0, most)))
}

/** Recent entries that still exist; only places, since an action is not a place to come back to. */
export function recentOf(all: readonly Entry[], keys: readonly string[]): Entry[] {
  return keys
    .map((key) => all.find((entry) => entry.key === key && entry.group !== 'actions'))
    .filter((entry) => entry !== undefined)
    .map((entry) => ({ ...entry, group: 'recent' }))
}
