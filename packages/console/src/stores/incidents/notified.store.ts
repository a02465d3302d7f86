// An incident is notified once the first notification was handed to a receiver; that is no change of its own.
import { inList } from '../../db/in-list.ts'
import type { Tx } from '../../db/query.ts'

/** Marks these incidents; `updated_id` stays. */
export async function markNotified(tx: Tx, incidentIds: readonly number[]): Promise<void> {
  if (incidentIds.length === 0) return
  await tx.query
    .updateTable('incident_state')
    .set({ notified: 1 })
    .where(inList(tx.engine, 'incident_id', incidentIds))
    .where('notified', '=', 0)
    .execute()
}
