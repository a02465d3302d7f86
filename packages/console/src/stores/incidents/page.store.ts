// Lists page by key, never by offset: a deep page costs what the first one costs.
import { sql } from 'kysely'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import { inList } from '../../db/in-list.ts'
import { matching, type IncidentFilter, type IncidentRow } from './filter.store.ts'
import { PAGE_COLUMNS, updatedPage } from './updated-page.store.ts'

/** By creation (ties by number), newest or oldest first, or by rising `updated_id`. */
export type Order = 'oldest' | 'newest' | 'updated'

/** What places an incident in a list and tells its version; the rest is loaded for those that are shown anew. */
export type PageRow = Pick<IncidentRow, (typeof PAGE_COLUMNS)[number]>

/** The row beside which a page begins. */
export interface Position {
  readonly created_at: number
  readonly incident_id: number
  readonly updated_id: number
}

export interface PageRequest {
  readonly order: Order
  readonly from?: Position
  /** Towards the beginning of the list instead of its end. */
  readonly backward?: boolean
  readonly limit: number
}

/** At most `limit` rows in the list's order, strictly beyond `from`. */
export async function incidentPage(
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: IncidentFilter,
  page: PageRequest,
): Promise<PageRow[]> {
  if (page.order === 'updated') return updatedPage(db, engine, scope, filter, page)
  const parts = await Promise.all(
    indexWalks(scope, filter).map((walked) => walk(db, engine, walked.scope, walked.filter, page)),
  )
  const forward = parts.flat().sort(comparison(page.order))
  return page.backward ? forward.slice(-page.limit) : forward.slice(0, page.limit)
}

interface Walk {
  readonly scope: Scope
  readonly filter: IncidentFilter
}

/** More Flocks than these are walked together, by state. */
const MOST_WALKS = 40

/**
 * Lists by creation have indexes for one state, of all Flocks or of one: what means more is walked once for each, and
 * merged. A node has an index of its own, for both states.
 */
function indexWalks(scope: Scope, filter: IncidentFilter): Walk[] {
  if (filter.nodeId !== undefined) return [{ scope, filter }]
  const states = filter.acknowledged === undefined ? ([0, 1] as const) : [filter.acknowledged]
  const isSplit = scope !== 'all' && filter.flockId === undefined && scope.length <= MOST_WALKS / 2
  const flocks = isSplit ? scope : [filter.flockId]
  return states.flatMap((acknowledged) =>
    flocks.map((flockId) => ({
      scope,
      filter: { ...filter, acknowledged, ...(flockId !== undefined && { flockId }) },
    })),
  )
}

async function walk(
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: IncidentFilter,
  { order, from, backward = false, limit }: PageRequest,
): Promise<PageRow[]> {
  const descending = (order === 'newest') !== backward
  const direction = descending ? 'desc' : 'asc'
  const beyond = descending ? '<' : '>'
  // Where the page begins says more than the filter's bound on that side, and a planner would walk from either.
  const { createdAfter: _after, ...upwards } = filter
  const { createdBefore: _before, ...downwards } = filter
  const narrowed = from ? (descending ? downwards : upwards) : filter
  let q = matching(db, engine, scope, narrowed).select(PAGE_COLUMNS).limit(limit)
  q = q.orderBy('created_at', direction).orderBy('incident_id', direction)
  // The index of a state over all Flocks opens to this word alone.
  if (filter.flockId === undefined && filter.nodeId === undefined) q = q.where('incident_id', '>', 0)
  if (from) {
    const { created_at, incident_id } = from
    q = q.where(sql<boolean>`(created_at, incident_id) ${sql.raw(beyond)} (${created_at}, ${incident_id})`)
  }
  return q.execute()
}

const comparison =
  (order: Order) =>
  (a: PageRow, b: PageRow): number => {
    const byTime = a.created_at - b.created_at || a.incident_id - b.incident_id
    return order === 'newest' ? -byTime : byTime
  }

/** Whole incidents by their number. */
export async function incidentsById(
  db: Query,
  engine: EngineName,
  incidentIds: readonly number[],
): Promise<Map<number, IncidentRow>> {
  if (incidentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('incident')
    .selectAll()
    .where(inList(engine, 'incident_id', incidentIds))
    .execute()
  return new Map(rows.map((row) => [row.incident_id, row]))
}

/** What places these incidents in lists; in no order. */
export async function positionsOf(
  db: Query,
  engine: EngineName,
  incidentIds: readonly number[],
): Promise<PageRow[]> {
  if (incidentIds.length === 0) return []
  return db
    .selectFrom('incident_state')
    .select(PAGE_COLUMNS)
    .where(inList(engine, 'incident_id', incidentIds))
    .execute()
}
