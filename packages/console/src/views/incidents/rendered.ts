// Lists show the same incidents again and again: their text is kept while the incident stands as it was.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { PageRow } from '../../stores/incidents/list.store.ts'

export interface Rendered {
  /** The text of this version of the incident, made under this variant of options; undefined when it is not kept. */
  find(row: PageRow, variant: string): string | undefined
  keep(row: PageRow, variant: string, text: string): void
}

const TEXTS = limit('incident_text_cache', 2_000)
/** Longer ones would push too many others out. */
const MAX_CHARACTERS = 4_096

interface Version {
  readonly updatedId: number
  readonly notified: number
  readonly text: string
}

export function openRendered(): Rendered {
  const cache = boundedMap<string, Version>(TEXTS)
  const keyOf = (row: PageRow, variant: string): string => `${row.incident_id} ${variant}`
  return {
    find(row, variant) {
      const found = cache.get(keyOf(row, variant))
      return found?.updatedId === row.updated_id && found.notified === row.notified ? found.text : undefined
    },
    keep(row, variant, text) {
      if (text.length > MAX_CHARACTERS) return
      cache.set(keyOf(row, variant), { updatedId: row.updated_id, notified: row.notified, text })
    },
  }
}
