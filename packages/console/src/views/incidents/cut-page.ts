// A page of incidents and the cursors next to it; a cursor carries the whole request.
import { signCursor } from '../../secrets/cursor.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Order, Position } from '../../stores/incidents/list.store.ts'

/** What was asked for; other members go into the cursor as they are. */
export interface ListPage<Filter> {
  readonly filter: Filter
  /** `updated`: by rising `updated_id`. */
  readonly order: Order | 'updated'
  readonly limit: number
  readonly from?: Position
  readonly backward?: boolean
  /** Counts pages for search, from 1. */
  readonly page: number
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
  readonly prev: string | null
}

/** Cuts the extra row, which shows whether there are more, and signs the cursors of both directions. */
export function cutPage<Row extends Position>(
  request: ListPage<object>,
  fetched: readonly Row[],
  list: string,
  vault: Vault,
): Page<Row> {
  const { limit, backward = false, from, page, ...others } = request
  const more = fetched.length > limit
  const rows = backward ? fetched.slice(-limit) : fetched.slice(0, limit)
  const cursor = (edge: Row | undefined, towardsStart: boolean): string | null =>
    edge === undefined
      ? null
      : signCursor(vault, list, {
          ...others,
          limit,
          from: position(edge),
          backward: towardsStart,
          page: towardsStart ? Math.max(1, page - 1) : page + 1,
        } satisfies ListPage<object>)
  const hasNext = backward ? from !== undefined : more
  const hasPrev = backward ? more : from !== undefined
  return {
    rows,
    next: hasNext ? cursor(rows.at(-1), false) : null,
    prev: hasPrev ? cursor(rows[0], true) : null,
  }
}

const position = ({ created_at, incident_id, updated_id }: Position): Position => ({
  created_at,
  incident_id,
  updated_id,
})
