// The queries of `raise`: open incidents in, a plan out, all in the caller's transaction.
import { inRows, textRelation } from '../../db/in-list.ts'
import type { Tx } from '../../db/query.ts'
import { addToCounts } from '../../stores/incidents/counts.store.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'
import { insertSources } from '../../stores/incidents/shared.store.ts'
import { insertIncidents } from '../../stores/incidents/write.store.ts'
import type { OpenIncident, Plan } from './plan.ts'

type StoredIncident = OpenIncident & Pick<IncidentRow, 'agg_key' | 'acknowledged' | 'deleted_at'>

/**
 * The incidents that take a touch of these aggregation keys: the newest of each, unless it was deleted, or acknowledged and
 * its key is not `joined`.
 */
export async function loadOpen(
  tx: Tx,
  keys: readonly string[],
  joined: ReadonlySet<string>,
): Promise<Map<string, OpenIncident>> {
  const wanted = textRelation(tx.engine, 'wanted', keys)
  const newest = `SELECT (SELECT n.incident_id FROM incident_fact n WHERE n.agg_key = wanted.value
    ORDER BY n.incident_id DESC LIMIT 1) FROM ${wanted.sql}`
  const rows = await tx.rows<StoredIncident>(
    `SELECT agg_key, incident_id, flock_id, src_host, last_at, events_count, acknowledged, deleted_at
     FROM incident WHERE ${inRows(tx.engine, 'incident_id', newest)}`,
    [wanted.value],
  )
  const open = rows.filter(
    (row) => row.deleted_at === null && (row.acknowledged === 0 || joined.has(row.agg_key)),
  )
  return new Map(open.map((row) => [row.agg_key, row]))
}

export async function storePlan(tx: Tx, { created, changed, events, sources }: Plan): Promise<void> {
  await insertIncidents(tx, created)
  await tx.updateMany('incident_state', ['incident_id'], changed)
  await tx.insertMany('incident_event', events, { key: ['incident_id', 'slot'], then: 'replace' })
  await insertSources(tx, sources)
  await addToCounts(tx, countsOf(created))
}

function countsOf(created: Plan['created']): { flock_id: string; acknowledged: 0; n: number }[] {
  const counts = new Map<string, number>()
  for (const { flock_id } of created) counts.set(flock_id, (counts.get(flock_id) ?? 0) + 1)
  return [...counts].map(([flock_id, n]) => ({ flock_id, acknowledged: 0, n }))
}
