// Lists show the same incidents again and again: their text is kept while the incident stands as it was.
import type { PageRow } from '../stores/incidents/page.store.ts'

export interface Rendered {
  /** The text of this version of the incident, made under this variant of options; undefined when it is not kept. */
  find(row: PageRow, variant: string): string | undefined
  keep(row: PageRow, variant: string, text: string): void
}

const MOST = 2_000
/** Longer ones would push too many others out. */
const LONGEST = 4_096

export function openRendered(): Rendered {
  const kept = new Map<
    string,
    { readonly updatedId: number; readonly notified: number; readonly text: string }
  >()
  const keyOf = (row: PageRow, variant: string): string => `${row.incident_id} ${variant}`
  return {
    find(row, variant) {
      const found = kept.get(keyOf(row, variant))
      return found?.updatedId === row.updated_id && found.notified === row.notified ? found.text : undefined
    },
    keep(row, variant, text) {
      if (text.length > LONGEST) return
      const key = keyOf(row, variant)
      kept.delete(key)
      kept.set(key, { updatedId: row.updated_id, notified: row.notified, text })
      if (kept.size > MOST) kept.delete(kept.keys().next().value ?? '')
    },
  }
}
