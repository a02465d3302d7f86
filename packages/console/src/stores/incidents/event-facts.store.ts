// Adds to stored events what was found out about their source after the commit. Counts and alerts stay.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Tx } from '../../db/query.ts'

/** Of the events of one incident that were received at one time from one source. */
export interface SourceFacts {
  readonly aggregationKey: string
  readonly receivedAt: number
  readonly srcHost: string
  readonly facts: EventFields
}

/** Events that have these keys, that are gone, or of deleted incidents, are left out. Pollers see the incidents again. */
export async function addSourceFacts(tx: Tx, found: readonly SourceFacts[], now: number): Promise<void> {
  for (const { aggregationKey, receivedAt, srcHost, facts } of found) {
    const events = await eventsAt(tx, aggregationKey, receivedAt)
    const changed = events.flatMap(({ incident_id, slot, body }) => {
      const fields = JSON.parse(body) as EventFields
      // Addresses of an IPv6 /64 share an incident.
      const isOfOther = fields['src_host'] !== undefined && fields['src_host'] !== srcHost
      const isThere = Object.keys(facts).every((key) => Object.hasOwn(fields, key))
      return isOfOther || isThere
        ? []
        : [{ incident_id, slot, body: JSON.stringify({ ...fields, ...facts }) }]
    })
    const [first] = changed
    if (!first) continue
    await tx.updateMany('incident_event', ['incident_id', 'slot'], changed)
    const { incident_id } = first
    const updated_id = await tx.updatedIds(1)
    await tx.updateMany('incident_state', ['incident_id'], [{ incident_id, updated_id, updated_at: now }])
  }
}

/** Of the newest incident of the key. */
async function eventsAt(tx: Tx, aggregationKey: string, receivedAt: number) {
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
    .execute()
}
