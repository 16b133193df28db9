import type { Query, QueryCacheNotifyEvent, QueryClient, QueryKey } from '@tanstack/react-query'

/** Keeps what is on screen no older than the last change heard. */
export interface Freshness {
  /** Refetches the queries whose key starts with queryKey, or all of them. */
  stale: (queryKey?: QueryKey) => void
  stop: () => void
}

/**
 * A query that is being fetched when it becomes stale is fetched once more afterwards: its answer may have been given
 * before the change. It is not interrupted, so that a stream of changes cannot keep it from ever arriving. (The library
 * alone would forget a change heard during a first fetch.)
 */
export function keepFresh(client: QueryClient): Freshness {
  const cache = client.getQueryCache()
  const onceMore = new Set<Query>()
  const refetch = (query: Query) =>
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
  const unsubscribe = cache.subscribe((event: QueryCacheNotifyEvent) => {
    const query = event.query as Query
    if (event.type === 'removed') onceMore.delete(query)
    else if (query.state.fetchStatus === 'idle' && onceMore.delete(query)) refetch(query)
  })
  return {
    stale: (queryKey) => {
      for (const query of cache.findAll(queryKey === undefined ? {} : { queryKey })) {
        if (query.state.fetchStatus === 'idle') refetch(query)
        else onceMore.add(query)
      }
    },
    stop: unsubscribe,
  }
}
