// Adds to events that are stored: what a visitor sent after the request that fired. Counts and alerts stay.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Tx } from '../../db/query.ts'

export interface Amendment {
  /** When the event was received. */
  readonly at: number
  readonly aggregationKey: string
  readonly fields: EventFields
  readonly amendedAt: number
}

interface StoredEvent {
  readonly incident_id: number
  readonly slot: number
  readonly body: string
}

/** In their order. An event that is gone, or of a deleted incident, is left out. Pollers see the incident again. */
export async function amendEvents(tx: Tx, amendments: readonly Amendment[]): Promise<void> {
  for (const amendment of amendments) {
    const event = await findEvent(tx, amendment)
    if (!event) continue
    const body = JSON.stringify({ ...(JSON.parse(event.body) as EventFields), ...amendment.fields })
    if (body === event.body) continue
    const { incident_id, slot } = event
    await tx.updateMany('incident_event', ['incident_id', 'slot'], [{ incident_id, slot, body }])
    const updated_id = await tx.updatedIds(1)
    const changed = { incident_id, updated_id, updated_at: amendment.amendedAt }
    await tx.updateMany('incident_state', ['incident_id'], [changed])
  }
}

/** The event of that time in the newest incident of the key. */
async function findEvent(tx: Tx, { aggregationKey, at }: Amendment): Promise<StoredEvent | undefined> {
  const newest = await tx.query
    .selectFrom('incident_fact')
    .select('incident_id')
    .where('agg_key', '=', aggregationKey)
    .orderBy('incident_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return undefined
  return tx.query
    .selectFrom('incident_event as e')
    .innerJoin('incident_state as s', 's.incident_id', 'e.incident_id')
    .select(['e.incident_id', 'e.slot', 'e.body'])
    .where('e.incident_id', '=', newest.incident_id)
    .where('e.received_at', '=', at)
    .where('s.deleted_at', 'is', null)
    .orderBy('e.nth', 'desc')
    .limit(1)
    .executeTakeFirst()
}
