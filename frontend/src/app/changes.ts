import type { QueryClient } from '@tanstack/react-query'
import { onChanges, type Change, type Topic } from '@/lib/api'
import { keepFresh } from './freshness'

/**
 * The collections to refetch when a topic is heard. A query's key starts with the name of its collection, then the id
 * of one item: ['servers'], ['servers', id], ['tests', id].
 */
export const collections: Record<Topic, readonly string[]> = {
  servers: ['servers', 'tools', 'toolbox', 'status', 'explain'],
  tests: ['tests'],
  calls: ['calls'],
  inbox: ['inbox', 'status'],
  approvals: ['approvals', 'tools', 'toolbox', 'explain'],
  policy: ['policy', 'tools', 'toolbox', 'explain'],
  activity: ['activity', 'status', 'servers'],
  settings: ['settings', 'inbox', 'network'],
  logs: ['logs'],
  traffic: ['traffic'],
  resources: ['subscriptions'],
  status: ['status', 'settings', 'policy'],
  network: ['network'],
}

/** Topics that tell of streams: only the item they name is refetched. */
const perItem: readonly Topic[] = ['tests', 'calls', 'logs', 'traffic', 'resources']

/** The keys that one change makes stale. */
export function staleKeys({ topic, id }: Change): string[][] {
  const narrow = id !== undefined && perItem.includes(topic)
  return collections[topic].map((collection) => (narrow ? [collection, id] : [collection]))
}

/** How often everything on screen is refetched while changes cannot be heard, in milliseconds. */
const fallback = 5000

/** Refetches what changed, and everything now and then while changes cannot be heard. Returns the way to stop. */
export function followChanges(client: QueryClient): () => void {
  const fresh = keepFresh(client)
  const refetchAll = () => fresh.stale()
  let timer: ReturnType<typeof setInterval> | undefined
  const stop = onChanges({
    change: (change) => staleKeys(change).forEach((key) => fresh.stale(key)),
    connected: () => {
      clearInterval(timer)
      timer = undefined
      refetchAll()
    },
    lost: () => {
      if (timer !== undefined) return
      timer = setInterval(refetchAll, fallback)
      refetchAll()
    },
  })
  return () => {
    clearInterval(timer)
    stop()
    fresh.stop()
  }
}
