// Events that are stored, for those who add to them after the commit. Counts and alerts stay.
import type { Tx } from '../../db/query.ts'
import type { IncidentTables } from './tables.ts'

/** An incident keeps no more (`flows/raise/decide.ts`). */
const MAX_KEPT_EVENTS = 1_000

/** `body`: its fields as JSON. */
export type StoredEvent = Pick<IncidentTables['incident_event'], 'incident_id' | 'slot' | 'body'>

/**
 * The events that the newest incident of the key received at that time, at most `most`, the latest first. Those of a deleted
 * incident are left out.
 */
export async function storedEvents(
  tx: Tx,
  aggregationKey: string,
  receivedAt: number,
  most = MAX_KEPT_EVENTS,
): Promise<readonly StoredEvent[]> {
  const newest = await tx.query
    .selectFrom('incident_fact')
    .select('incident_id')
    .where('agg_key', '=', aggregationKey)
    .orderBy('incident_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return []
  return tx.query
    .selectFrom('incident_event as e')
    .innerJoin('incident_state as s', 's.incident_id', 'e.incident_id')
    .select(['e.incident_id', 'e.slot', 'e.body'])
    .where('e.incident_id', '=', newest.incident_id)
    .where('e.received_at', '=', receivedAt)
    .where('s.deleted_at', 'is', null)
    .orderBy('e.nth', 'desc')
    .limit(most)
    .execute()
}

/** Stores other bodies for events of one incident. Pollers see the incident again. */
export async function changeStoredEvents(
  tx: Tx,
  changed: readonly [StoredEvent, ...StoredEvent[]],
  now: number,
): Promise<void> {
  const [{ incident_id }] = changed
  await tx.updateMany('incident_event', ['incident_id', 'slot'], [...changed])
  const updated_id = await tx.updatedIds(1)
  await tx.updateMany('incident_state', ['incident_id'], [{ incident_id, updated_id, updated_at: now }])
}
