// Search: the counts behind a page. They walk every match, so they run away from the event loop.
import { sql } from 'kysely'
import type { Engine } from '../../db/engine.ts'
import type { Scope } from '../../db/query.ts'
import { incidentsOfSource, matching, type IncidentFilter, type IncidentRow } from './filter.store.ts'
import type { Position } from './page.store.ts'

export interface SearchTotals {
  readonly total: number
  /** The 1,000 largest. */
  readonly bySource: Readonly<Record<string, number>>
}

const SOURCES = 1_000
const SEEN_AT_MOST = 1_000

export async function searchTotals(
  engine: Engine,
  scope: Scope,
  filter: IncidentFilter,
): Promise<SearchTotals> {
  const query = matching(engine.reader, engine.name, scope, filter)
    .select([
      'src_host',
      sql<number>`count(*)`.as('n'),
      // Totals of all groups, though only the largest come back.
      sql<number>`sum(count(*)) over ()`.as('total'),
    ])
    .groupBy('src_host')
    .orderBy('n', 'desc')
    .orderBy('src_host')
    .limit(SOURCES)
  const rows = await engine.longRead(query.compile())
  return {
    total: Number(rows[0]?.total ?? 0),
    bySource: Object.fromEntries(rows.map((row) => [row.src_host, Number(row.n)])),
  }
}

/** A page of matches, newest first; a rare text makes it walk far, so it, too, runs elsewhere. */
export async function searchPage(
  engine: Engine,
  scope: Scope,
  filter: IncidentFilter,
  page: { readonly from?: Position; readonly backward?: boolean; readonly limit: number },
): Promise<IncidentRow[]> {
  const direction = page.backward ? 'asc' : 'desc'
  let q = matching(engine.reader, engine.name, scope, filter)
    .selectAll()
    .orderBy('created_at', direction)
    .orderBy('incident_key', direction)
    .limit(page.limit)
  const { from } = page
  if (from) {
    q = q.where((e) =>
      e(
        e.refTuple('created_at', 'incident_key'),
        page.backward ? '>' : '<',
        e.tuple(from.created_at, from.incident_key),
      ),
    )
  }
  const rows = await engine.longRead(q.compile())
  return page.backward ? rows.reverse() : rows
}

/** How many earlier incidents each source has, at most 1,000 of each. */
export async function previouslySeen(
  engine: Engine,
  rows: readonly IncidentRow[],
): Promise<Map<number, number>> {
  const counted = await Promise.all(
    rows.map(async (row) => {
      const earlier = incidentsOfSource(engine.reader, row.src_host)
        .where('s.incident_id', '<', row.incident_id)
        .limit(SEEN_AT_MOST)
      const { n } = await engine.reader
        .selectFrom(earlier.as('earlier'))
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      return [row.incident_id, Number(n)] as const
    }),
  )
  return new Map(counted)
}
