// How many incidents a line of an ignore list would have kept away. Long reads; deleted incidents do not count.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Engine } from '../../db/engine.ts'
import { noIndex, noTextIndex } from '../../db/planner.ts'
import type { Scope } from '../../db/query.ts'
import { keysOfSource } from './aggregation.ts'
import { nonEmpty } from './filter.store.ts'
import { openReading, scan } from './search.store.ts'

/** Incidents of a source that are alike for an ignore list. */
export interface SourceCount {
  readonly flock_id: string
  readonly dst_port: number
  readonly logtype: string
  readonly n: number
}

/** Of a source, begun after a time. One range of `incident_by_key`. */
export function countsOfSource(
  engine: Engine,
  scope: Scope,
  srcHost: string,
  after: number,
): Promise<SourceCount[]> {
  const { from, below } = keysOfSource(srcHost)
  let q = engine.reader
    .selectFrom('incident_fact as f')
    .innerJoin('incident_state as s', 's.incident_id', 'f.incident_id')
    .select(['s.flock_id', 'f.dst_port', 'f.logtype', sql<number>`count(*)`.as('n')])
    .where('f.agg_key', '>=', from)
    .where('f.agg_key', '<', below)
    .where('s.src_host', '=', srcHost)
    .where(noIndex('s.created_at'), '>', after)
    .where(noIndex('s.deleted_at'), 'is', null)
    .groupBy(['s.flock_id', 'f.dst_port', 'f.logtype'])
  if (scope !== 'all') q = q.where(noTextIndex('s.flock_id'), 'in', nonEmpty(scope))
  return engine.longRead(q.compile())
}

/** Of every source with this reverse name, or one below it. */
export const countOfName = (engine: Engine, scope: Scope, name: string, after: number): Promise<number> =>
  countWhere(
    engine,
    scope,
    after,
    sql`(src_host_reverse = ${name} OR src_host_reverse LIKE ${`%.${name.replaceAll(/[%_\\]/g, '\\$&')}`} ESCAPE '\\')`,
  )

/** Of those that an annotation explains. */
export const countOfAnnotation = (
  engine: Engine,
  scope: Scope,
  name: string,
  after: number,
): Promise<number> =>
  countWhere(
    engine,
    scope,
    after,
    sql`EXISTS (SELECT 1 FROM incident_fact f WHERE f.incident_id = incident_state.incident_id
      AND ',' || f.annotations || ',' LIKE ${`%,${name.replaceAll('_', '\\_')},%`} ESCAPE '\\')`,
  )

async function countWhere(
  engine: Engine,
  scope: Scope,
  after: number,
  condition: RawBuilder<SqlBool>,
): Promise<number> {
  const query = scan(engine, { scope, filter: { createdAfter: after } })
    .where(condition)
    .select(sql<number>`count(*)`.as('n'))
  const [row] = await openReading(engine)(query.compile())
  return Number(row?.n ?? 0)
}
