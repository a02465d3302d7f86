// Adds to stored events what was found out about their source after the commit.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Tx } from '../../db/query.ts'
import { changeStoredEvents, storedEvents } from './stored-events.store.ts'

/** Of the events of one incident that were received at one time from one source. */
export interface SourceFacts {
  readonly aggregationKey: string
  readonly receivedAt: number
  readonly srcHost: string
  readonly facts: EventFields
}

/** Events that have these keys, that are gone, or of deleted incidents, are left out. */
export async function addSourceFacts(tx: Tx, found: readonly SourceFacts[], now: number): Promise<void> {
  for (const { aggregationKey, receivedAt, srcHost, facts } of found) {
    const events = await storedEvents(tx, aggregationKey, receivedAt)
    const [first, ...more] = events.flatMap(({ body, ...event }) => {
      const fields = JSON.parse(body) as EventFields
      // Addresses of an IPv6 /64 share an incident.
      const isOfOther = fields['src_host'] !== undefined && fields['src_host'] !== srcHost
      const isThere = Object.keys(facts).every((key) => Object.hasOwn(fields, key))
      return isOfOther || isThere ? [] : [{ ...event, body: JSON.stringify({ ...fields, ...facts }) }]
    })
    if (first) await changeStoredEvents(tx, [first, ...more], now)
  }
}
