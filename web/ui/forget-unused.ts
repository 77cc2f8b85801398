// Keeps what was fetched from growing for as long as a tab is open: of what nothing shows any more, the latest alone are kept.
import type { Query, QueryClient } from '@tanstack/query-core'

/** Looks whenever something is fetched, or shown no more. What is on its way stays. */
export function forgetUnused(client: QueryClient, most: number): void {
  const cache = client.getQueryCache()
  cache.subscribe(({ type }) => {
    if (type !== 'added' && type !== 'observerRemoved') return
    // What was never fetched is about to be, by whoever shows it in a moment: outside of the cache it would be kept by nobody's count.
    const unused = cache
      .findAll({ type: 'inactive', fetchStatus: 'idle' })
      .filter(({ state }) => state.status !== 'pending')
    if (unused.length <= most) return
    unused.sort((one, other) => lastUsed(other) - lastUsed(one))
    for (const query of unused.slice(most)) cache.remove(query)
  })
}

const lastUsed = ({ state }: Query): number => Math.max(state.dataUpdatedAt, state.errorUpdatedAt)
