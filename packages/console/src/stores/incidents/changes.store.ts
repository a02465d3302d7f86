// Incidents by rising `updated_id`: reads ranges of `incident_by_update`, and lets other work run between two ranges.
import { expressionBuilder, type Expression, type SqlBool } from 'kysely'
import { noTextIndex } from '../../db/planner.ts'
import type { Query, Scope } from '../../db/query.ts'
import type { Schema } from '../../db/schema.gen.ts'
import { lastUpdatedId } from './counts.store.ts'
import { stateConditions, type ListFilter } from './filter.store.ts'
import { PAGE_COLUMNS, type Page, type PageRow } from './list.store.ts'

/** Values of `updated_id` that one statement covers; a poll rarely needs more. */
const RANGE = 20_000

/** At most `limit` rows, by rising `updated_id`, strictly beyond `from`; with those that were deleted, if asked for. */
export async function changedPage(
  db: Query,
  scope: Scope,
  { withDeleted = false, ...filter }: ListFilter,
  page: Page,
): Promise<PageRow[]> {
  if (!withDeleted) return livePage(db, scope, filter, page)
  // One bound for both reads: a change between them would be passed over, as the last row is where the next page begins.
  const last = await lastUpdatedId(db)
  const rows = await livePage(db, scope, filter, page, last)
  rows.push(...(await deletedPage(db, scope, filter, page, last)))
  rows.sort((a, b) => a.updated_id - b.updated_id)
  return page.backward ? rows.slice(-page.limit) : rows.slice(0, page.limit)
}

/** The highest `updated_id` of each Flock in which something changed, also by deletion, since that number. */
export async function changedFlocks(db: Query, above: number): Promise<Map<string, number>> {
  const highest = new Map<string, number>()
  for (const deleted of [false, true]) {
    const rows = await db
      .selectFrom('incident_state')
      .select((it) => [noTextIndex('flock_id').as('flock_id'), it.fn.max('updated_id').as('last')])
      .where('updated_id', '>', above)
      .where('deleted_at', deleted ? 'is not' : 'is', null)
      .groupBy(noTextIndex('flock_id'))
      .execute()
    for (const { flock_id, last } of rows)
      highest.set(flock_id, Math.max(Number(last), highest.get(flock_id) ?? 0))
  }
  return highest
}

/** Those that were deleted: few enough for one statement. */
function deletedPage(
  db: Query,
  scope: Scope,
  { updatedIdAbove: floor = 0, ...filter }: ListFilter,
  { from, backward = false, limit }: Page,
  last: number,
): Promise<PageRow[]> {
  const above = backward ? floor : Math.max(floor, from?.updated_id ?? 0)
  let q = changedAbove(db, scope, filter, above, true)
    .where('updated_id', '<=', last)
    .orderBy('updated_id', backward ? 'desc' : 'asc')
    .limit(limit)
  if (backward && from) q = q.where('updated_id', '<', from.updated_id)
  return q.execute()
}

async function livePage(
  db: Query,
  scope: Scope,
  filter: ListFilter,
  { from, backward = false, limit }: Page,
  bound?: number,
): Promise<PageRow[]> {
  const { updatedIdAbove: floor = 0, ...others } = filter
  const rows: PageRow[] = []
  // Without other conditions every row matches: one range is enough.
  const range = scope === 'all' && Object.keys(others).length === 0 ? Infinity : RANGE
  // An incident that changes meanwhile gets a larger `updated_id`: the next poll reads it.
  const last = bound ?? (range === Infinity || backward ? Infinity : await lastUpdatedId(db))
  let next: number | undefined = backward
    ? await nextUpdatedId(db, from?.updated_id, true, floor)
    : Math.max(floor, from?.updated_id ?? 0) + 1
  while (next !== undefined) {
    const low: number = backward ? next - range : next - 1
    const high: number = backward ? next : Math.min(last, low + range)
    let q = changedAbove(db, scope, others, Math.max(floor, low))
      .orderBy('updated_id', backward ? 'desc' : 'asc')
      .limit(limit - rows.length)
    if (high !== Infinity) q = q.where('updated_id', '<=', high)
    rows.push(...(await q.execute()))
    if (rows.length === limit || range === Infinity || high === last) break
    // There are gaps, as after a restore: the next range begins at an existing value.
    next = await nextUpdatedId(db, backward ? low + 1 : high, backward, floor)
    if (next !== undefined) await nextTurn()
  }
  return backward ? rows.reverse() : rows
}

/** Matching rows with a larger `updated_id`. */
function changedAbove(
  db: Query,
  scope: Scope,
  { nodeId, ...filter }: ListFilter,
  above: number,
  deleted = false,
) {
  const conditions = stateConditions(scope, filter, 'no list index', deleted)
  if (nodeId !== undefined) conditions.push(isNode(nodeId))
  // Joins the facts only if the filter names a node.
  const from = nodeId === undefined ? 'incident_state' : ('incident as incident_state' as 'incident_state')
  return db
    .selectFrom(from)
    .select(PAGE_COLUMNS)
    .where('updated_id', '>', above)
    .where((e) => e.and(conditions))
}

const isNode = (nodeId: string): Expression<SqlBool> =>
  expressionBuilder<Schema, 'incident'>()(noTextIndex('node_id'), '=', nodeId)

/** The nearest `updated_id` strictly beyond; without `beyond`, the first or the last one. */
async function nextUpdatedId(
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

/** Lets other work of the event loop run first. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
