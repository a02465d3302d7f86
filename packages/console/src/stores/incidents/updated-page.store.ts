// Pages of what changed, by rising `updated_id`: a walk over one index, in stretches that hold nobody up.
import type { EngineName, Query, Scope } from '../../db/query.ts'
import { lastUpdatedId } from './counts.store.ts'
import { matching, type IncidentFilter } from './filter.store.ts'
import type { PageRequest, PageRow } from './page.store.ts'

export const PAGE_COLUMNS = ['incident_id', 'created_at', 'updated_id', 'notified', 'flock_id'] as const

/** Numbers of one stretch: a poll rarely needs more, and a search for what is rare gives way after each. */
const STRETCH = 20_000

/** At most `limit` rows, by rising number, strictly beyond `from`. */
export async function updatedPage(
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: IncidentFilter,
  { from, backward = false, limit }: PageRequest,
): Promise<PageRow[]> {
  const floor = filter.updatedIdAbove ?? 0
  const rows: PageRow[] = []
  // Without other conditions every number counts: one stretch is enough.
  const { updatedIdAbove: _, ...others } = filter
  const stretch = scope === 'all' && Object.keys(others).length === 0 ? Infinity : STRETCH
  // What changes while stretch follows stretch gets a number past this one, and is left to the next poll.
  const last = stretch === Infinity || backward ? Infinity : await lastUpdatedId(db)
  let next: number | undefined = backward
    ? await nextNumber(db, from?.updated_id, true, floor)
    : Math.max(floor, from?.updated_id ?? 0) + 1
  while (next !== undefined) {
    const low: number = backward ? next - stretch : next - 1
    const high: number = backward ? next : Math.min(last, low + stretch)
    let q = matching(db, engine, scope, { ...filter, updatedIdAbove: Math.max(floor, low) })
      .select(PAGE_COLUMNS)
      .orderBy('updated_id', backward ? 'desc' : 'asc')
      .limit(limit - rows.length)
    if (high !== Infinity) q = q.where('updated_id', '<=', high)
    rows.push(...(await q.execute()))
    if (rows.length === limit || stretch === Infinity || high === last) break
    // Numbers leap: the next stretch begins with one that there is.
    next = await nextNumber(db, backward ? low + 1 : high, backward, floor)
    if (next !== undefined) await turn()
  }
  return backward ? rows.reverse() : rows
}

/** The nearest number of an incident strictly beyond, or the last of all. */
async function nextNumber(
  db: Query,
  beyond: number | undefined,
  backward: boolean,
  floor: number,
): Promise<number | undefined> {
  let q = db
    .selectFrom('incident_state')
    .select('updated_id')
    .where('deleted_at', 'is', null)
    .where('updated_id', '>', backward ? floor : (beyond ?? floor))
    .orderBy('updated_id', backward ? 'desc' : 'asc')
    .limit(1)
  if (backward && beyond !== undefined) q = q.where('updated_id', '<', beyond)
  return (await q.executeTakeFirst())?.updated_id
}

/** Whatever else has arrived comes first. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
