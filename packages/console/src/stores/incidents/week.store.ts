// What happened in a Flock in a span of time, counted. It walks every incident of the span, so it runs away from the
// event loop.
import { sql } from 'kysely'
import type { Engine } from '../../db/engine.ts'

/** Something and how often, the most frequent first. */
export type Count = readonly [what: string, times: number]

export interface Happened {
  readonly incidents: number
  /** The most frequent summaries. */
  readonly bySummary: readonly Count[]
  /** The sources of most incidents. */
  readonly bySource: readonly Count[]
}

const MOST_SUMMARIES = 25
const MOST_SOURCES = 10

/** Incidents that began in `[from, until)` and are not deleted. */
export async function countHappened(
  engine: Engine,
  flockId: string,
  from: number,
  until: number,
): Promise<Happened> {
  const [summaries, sources] = await Promise.all([
    count(engine, flockId, from, until, 'summary', MOST_SUMMARIES),
    count(engine, flockId, from, until, 'src_host', MOST_SOURCES),
  ])
  return { incidents: summaries.total, bySummary: summaries.counts, bySource: sources.counts }
}

async function count(
  engine: Engine,
  flockId: string,
  from: number,
  until: number,
  column: 'summary' | 'src_host',
  most: number,
): Promise<{ total: number; counts: readonly Count[] }> {
  const query = engine.reader
    .selectFrom('incident')
    .select([
      `${column} as what`,
      sql<number>`count(*)`.as('n'),
      // Of all groups, though only the largest come back.
      sql<number>`sum(count(*)) over ()`.as('total'),
    ])
    .where('flock_id', '=', flockId)
    // Both states: so that the index of lists serves.
    .where('acknowledged', 'in', [0, 1])
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .where('deleted_at', 'is', null)
    .$if(column === 'src_host', (q) => q.where('src_host', '<>', ''))
    .groupBy(column)
    .orderBy('n', 'desc')
    .orderBy(column)
    .limit(most)
  const rows = await engine.longRead(query.compile())
  return {
    total: Number(rows[0]?.total ?? 0),
    counts: rows.map(({ what, n }): Count => [what, Number(n)]),
  }
}
