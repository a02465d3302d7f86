// Totals of a search, kept for its next pages: counting a million matches again for each would cost more than the page.
import type { Clock } from '@rookery/kernel/world.ts'
import type { Scope } from '../../db/query.ts'
import type { Totals } from '../../incidents/finding/request.ts'
import type { IncidentFilter } from '../../stores/incidents/filter.store.ts'

export interface KeptTotals {
  find(scope: Scope, filter: IncidentFilter): Totals | undefined
  keep(scope: Scope, filter: IncidentFilter, totals: Totals): void
}

const KEPT_MS = 10_000
const MOST = 100

export function openKeptTotals(clock: Clock): KeptTotals {
  const kept = new Map<string, { readonly until: number; readonly totals: Totals }>()
  const keyOf = (scope: Scope, filter: IncidentFilter): string =>
    JSON.stringify([scope, Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))])
  return {
    find(scope, filter) {
      const found = kept.get(keyOf(scope, filter))
      return found && found.until > clock.now() ? found.totals : undefined
    },
    keep(scope, filter, totals) {
      const key = keyOf(scope, filter)
      kept.delete(key)
      kept.set(key, { until: clock.now() + KEPT_MS, totals })
      if (kept.size > MOST) kept.delete(kept.keys().next().value ?? '')
    },
  }
}
