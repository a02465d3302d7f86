// Totals of recent searches, for their next pages: counting a million matches costs more than a page.
import type { Clock } from '@rookery/kernel/world.ts'
import type { Search, Totals } from '../../stores/incidents/search.store.ts'

export interface TotalsCache {
  find(search: Search): Totals | undefined
  store(search: Search, totals: Totals): void
}

const FRESH_MS = 10_000
const MOST_SEARCHES = 100

export function openTotalsCache(clock: Clock): TotalsCache {
  const cache = new Map<string, { readonly until: number; readonly totals: Totals }>()
  const keyOf = ({ scope, filter }: Search): string =>
    JSON.stringify([scope, Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))])
  return {
    find(search) {
      const found = cache.get(keyOf(search))
      return found && found.until > clock.now() ? found.totals : undefined
    },
    store(search, totals) {
      const key = keyOf(search)
      cache.delete(key)
      cache.set(key, { until: clock.now() + FRESH_MS, totals })
      if (cache.size > MOST_SEARCHES) cache.delete(cache.keys().next().value ?? '')
    },
  }
}
