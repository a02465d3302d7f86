// What is learnt of an incident after it was raised.
import type { Tx } from '../../db/query.ts'

/** Writes the source's reverse name; the incident changed, so pollers see it again. */
export async function writeReverseName(tx: Tx, incidentId: number, name: string, now: number): Promise<void> {
  const updatedId = await tx.updatedIds(1)
  await tx.query
    .updateTable('incident_state')
    .set({ src_host_reverse: name, updated_id: updatedId, updated_at: now })
    .where('incident_id', '=', incidentId)
    .where('deleted_at', 'is', null)
    .execute()
}
