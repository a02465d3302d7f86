// The queries of `raise`: open incidents in, a plan out, all in the caller's transaction.
import { amongTexts } from '../../db/among.ts'
import type { Row, Tx } from '../../db/query.ts'
import { addToCount } from '../../stores/incidents/counts.store.ts'
import type { OpenIncident, Plan } from './plan.ts'

/** Open incidents of these aggregation keys. */
export async function loadOpen(tx: Tx, keys: readonly string[]): Promise<Map<string, OpenIncident>> {
  const rows = await tx.rows<OpenIncident & { agg_key: string }>(
    `SELECT o.agg_key, o.incident_id, o.last_at, i.events_count
     FROM open_incident o JOIN incident i ON i.incident_id = o.incident_id
     WHERE ${amongTexts(tx.engine, 'o.agg_key')}`,
    [JSON.stringify(keys)],
  )
  return new Map(rows.map((row) => [row.agg_key, row]))
}

export async function storePlan(tx: Tx, { created, changed, events, opened }: Plan): Promise<void> {
  await tx.insertMany(
    'incident',
    created.map(({ muted: _muted, late: _late, ...row }): Row => row),
  )
  await tx.updateMany(
    'incident',
    ['incident_id'],
    changed.map((row): Row => ({ ...row })),
  )
  await tx.insertMany(
    'incident_event',
    events.map((row): Row => ({ ...row })),
    {
      key: ['incident_id', 'slot'],
      then: 'replace',
    },
  )
  await tx.insertMany('open_incident', opened, { key: ['agg_key'], then: 'replace' })
  const counts = new Map<string, number>()
  for (const { flock_id } of created) counts.set(flock_id, (counts.get(flock_id) ?? 0) + 1)
  for (const [flockId, n] of counts) await addToCount(tx, flockId, 0, n)
}
