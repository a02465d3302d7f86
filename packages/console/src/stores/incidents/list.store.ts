// Lists by creation, paged by key (keyset pagination): a deep page costs as much as the first one.
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { partialIndexHint } from '../../db/planner.ts'
import type { Query, Scope } from '../../db/query.ts'
import type { Schema } from '../../db/schema.gen.ts'
import { stateConditions, type IncidentRow, type ListFilter } from './filter.store.ts'

/** By creation; ties by incident number (decision 0018). */
export type Order = 'oldest' | 'newest'

export const PAGE_COLUMNS = ['incident_id', 'created_at', 'updated_id', 'notified', 'flock_id'] as const

/** Position and version of an incident; the other columns are loaded only for incidents whose text is not cached. */
export type PageRow = Pick<IncidentRow, (typeof PAGE_COLUMNS)[number]>

/** The row at the edge of a page: the next page begins beyond it. */
export type Position = Pick<IncidentRow, 'created_at' | 'incident_id' | 'updated_id'>

export interface Page {
  readonly from?: Position
  /** Towards the beginning of the list instead of its end. */
  readonly backward?: boolean
  readonly limit: number
}

type CreationFilter = Omit<ListFilter, 'updatedIdAbove' | 'withDeleted'>

/** At most `limit` rows in the list's order, strictly beyond `from`. `nodeId` must be a Bird's: `incident_by_node` has no tokens. */
export async function incidentPage(
  db: Query,
  scope: Scope,
  filter: CreationFilter,
  order: Order,
  page: Page,
): Promise<PageRow[]> {
  const { nodeId, ...others } = filter
  const walks =
    nodeId === undefined
      ? stateWalks(db, scope, others, order, page)
      : [nodeWalk(db, scope, { ...others, nodeId }, order, page)]
  const direction = directionOf(order, page)
  const parts = await Promise.all(
    walks.map((walk) =>
      walk.orderBy('created_at', direction).orderBy('incident_id', direction).limit(page.limit).execute(),
    ),
  )
  return cutPage(parts.flat(), order, page)
}

/** Sorts rows that lie beyond `from`, and cuts them to the limit. */
export function cutPage<Row extends Position>(
  rows: readonly Row[],
  order: Order,
  { backward = false, limit }: Page,
): Row[] {
  const sign = order === 'newest' ? -1 : 1
  const ordered = rows.toSorted((a, b) => sign * byCreation(a, b))
  return backward ? ordered.slice(-limit) : ordered.slice(0, limit)
}

export const byCreation = (a: Position, b: Position): number =>
  a.created_at - b.created_at || a.incident_id - b.incident_id

export const directionOf = (order: Order, { backward = false }: Page): 'asc' | 'desc' =>
  (order === 'newest') !== backward ? 'desc' : 'asc'

/** Reads one index in its order; the caller adds ORDER BY and LIMIT. */
export type Walk = SelectQueryBuilder<Schema, 'incident_state', PageRow>

/** Above this, one read of `incident_by_state` replaces those of the Flocks. */
const MAX_FLOCKS = 20

/**
 * The reads that a list is merged from. Both indexes by creation begin with the state: `incident_by_state` over all Flocks,
 * `incident_by_flock` within one. A list of several states or Flocks needs one read for each.
 */
export function stateWalks(
  db: Query,
  scope: Scope,
  filter: Omit<CreationFilter, 'nodeId'>,
  order: Order,
  page: Page,
): Walk[] {
  const states = filter.acknowledged === undefined ? ([0, 1] as const) : [filter.acknowledged]
  const isByFlock = scope !== 'all' && filter.flockId === undefined && scope.length <= MAX_FLOCKS
  const flocks = isByFlock ? scope : [filter.flockId]
  return states.flatMap((acknowledged) =>
    flocks.map((flockId) => {
      const one = { ...beyond(filter, order, page), acknowledged, ...(flockId !== undefined && { flockId }) }
      const walk = db
        .selectFrom('incident_state')
        .select(PAGE_COLUMNS)
        .where((e) => e.and(stateConditions(scope, one, 'any')))
        .where(isBeyond(order, page))
      return flockId === undefined ? walk.where(partialIndexHint()) : walk
    }),
  )
}

/** `incident_by_node` covers both states of a Bird. It is partial: the query must repeat `memo IS NULL`. */
function nodeWalk(
  db: Query,
  scope: Scope,
  { nodeId, ...filter }: CreationFilter & { readonly nodeId: string },
  order: Order,
  page: Page,
): Walk {
  const conditions = stateConditions(scope, beyond(filter, order, page), 'no list index')
  const walk = db
    .selectFrom('incident_of_node as incident_state')
    .select(PAGE_COLUMNS)
    .where('node_id', '=', nodeId)
    .where('memo', 'is', null)
    .where((e) => e.and(conditions))
    .where(isBeyond(order, page))
  return walk as unknown as Walk
}

function isBeyond(order: Order, page: Page): RawBuilder<SqlBool> {
  if (!page.from) return sql`1 = 1`
  const { created_at, incident_id } = page.from
  const sign = sql.raw(directionOf(order, page) === 'desc' ? '<' : '>')
  return sql`(created_at, incident_id) ${sign} (${created_at}, ${incident_id})`
}

/** `from` is closer than the filter's bound on that side; with both, SQLite may start the range at the wrong one. */
function beyond<F extends CreationFilter>(filter: F, order: Order, page: Page): F {
  if (!page.from) return filter
  const { createdAfter, createdBefore, ...others } = filter
  return (
    directionOf(order, page) === 'desc'
      ? { ...others, ...(createdAfter !== undefined && { createdAfter }) }
      : { ...others, ...(createdBefore !== undefined && { createdBefore }) }
  ) as F
}

/** Unacknowledged incidents of a Bird, oldest first; at most `limit`, the newest. */
export async function openIncidentsOf(db: Query, nodeId: string, limit: number): Promise<IncidentRow[]> {
  const rows = await db
    .selectFrom('incident_of_node as incident')
    .selectAll()
    .where('node_id', '=', nodeId)
    .where('memo', 'is', null)
    .where('acknowledged', '=', 0)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('incident_id', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}
