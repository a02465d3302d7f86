// Totals of recent searches, for their next pages: counting a million matches costs more than a page.
import type { Clock } from '@rookery/kernel/world.ts'
import type { Search, Totals } from '../../stores/incidents/search.store.ts'

export interface TotalsCache {
  /** With the last `updated_id`: only totals that were counted at that state of the database. */
  find(search: Search, updatedId?: number): Totals | undefined
  store(search: Search, totals: Totals, updatedId?: number): void
}

const FRESH_MS = 10_000
const MAX_SEARCHES = 100

export function openTotalsCache(clock: Clock): TotalsCache {
  const cache = new Map<string, { readonly until: number; readonly totals: Totals }>()
  const keyOf = ({ scope, filter }: Search, updatedId = 0): string =>
    JSON.stringify([updatedId, scope, Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))])
  return {
    find(search, updatedId) {
      const found = cache.get(keyOf(search, updatedId))
      return found && found.until > clock.now() ? found.totals : undefined
    },
    store(search, totals, updatedId) {
      const key = keyOf(search, updatedId)
      cache.delete(key)
      cache.set(key, { until: clock.now() + FRESH_MS, totals })
      if (cache.size > MAX_SEARCHES) cache.delete(cache.keys().next().value ?? '')
    },
  }
}
