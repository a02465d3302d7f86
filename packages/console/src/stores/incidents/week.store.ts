// Counts the incidents of a Flock in a span of time, by summary and by source: a long read over every incident of the span.
import { sql } from 'kysely'
import type { Engine } from '../../db/engine.ts'

/** A value and its number of incidents. */
export type Count = readonly [what: string, times: number]

export interface Happened {
  readonly incidents: number
  /** The most frequent summaries. */
  readonly bySummary: readonly Count[]
  /** The sources of most incidents. */
  readonly bySource: readonly Count[]
}

const MAX_SUMMARIES = 25
const MAX_SOURCES = 10

/** Incidents that began in `[from, until)` and are not deleted. */
export async function countHappened(
  engine: Engine,
  flockId: string,
  from: number,
  until: number,
): Promise<Happened> {
  const [summaries, sources] = await Promise.all([
    count(engine, flockId, from, until, 'summary', MAX_SUMMARIES),
    count(engine, flockId, from, until, 'src_host', MAX_SOURCES),
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
      // Over all groups, also those that LIMIT cuts.
      sql<number>`sum(count(*)) over ()`.as('total'),
    ])
    .where('flock_id', '=', flockId)
    // All states: `incident_by_flock` has the state before the time.
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
