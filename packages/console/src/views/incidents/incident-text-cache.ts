// The JSON texts of incidents in lists: valid while the incident is at the same version.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { PageRow } from '../../stores/incidents/list.store.ts'

export interface IncidentTextCache {
  /** The text of this version of the incident under this variant of options; undefined if it is not cached. */
  get(row: PageRow, variant: string): string | undefined
  set(row: PageRow, variant: string, text: string): void
}

/** Incidents whose JSON is cached for lists. */
const TEXTS = limit('incident_text_cache', 2_000)
/** Longer texts would take too much memory. */
const MAX_CHARACTERS = 4_096

interface Version {
  readonly updatedId: number
  readonly notified: number
  readonly text: string
}

export function openIncidentTextCache(): IncidentTextCache {
  const cache = boundedMap<string, Version>(TEXTS)
  const keyOf = (row: PageRow, variant: string): string => `${row.incident_id} ${variant}`
  return {
    get(row, variant) {
      const found = cache.get(keyOf(row, variant))
      return found?.updatedId === row.updated_id && found.notified === row.notified ? found.text : undefined
    },
    set(row, variant, text) {
      if (text.length > MAX_CHARACTERS) return
      cache.set(keyOf(row, variant), { updatedId: row.updated_id, notified: row.notified, text })
    },
  }
}
