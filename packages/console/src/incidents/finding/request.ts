// What can be asked of a finder, and what it answers.
import type { Scope } from '../../db/query.ts'
import type { IncidentFilter } from '../../stores/incidents/filter.store.ts'
import type { PageRow, Position } from '../../stores/incidents/page.store.ts'

export interface FindRequest {
  readonly scope: Scope
  readonly filter: Omit<IncidentFilter, 'updatedIdAbove'>
  /** At most so many, newest first, strictly beyond `from`; `backward` is towards the newest. */
  readonly page?: { readonly from?: Position; readonly backward?: boolean; readonly limit: number }
  /** Whether to count all matches. */
  readonly totals?: boolean
  /** Whether to answer the numbers of all matches. */
  readonly numbers?: boolean
}

export interface Totals {
  readonly total: number
  /** The 1,000 largest: source address and count. */
  readonly bySource: readonly (readonly [string, number])[]
}

export interface Found {
  /** In the list's order, newest first. */
  readonly page: readonly PageRow[]
  readonly totals: Totals | undefined
  /** Rising. */
  readonly numbers: Float64Array
}
