// Adds to events that are stored: what a visitor sent after the request that fired.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Tx } from '../../db/query.ts'
import { changeStoredEvents, storedEvents } from './stored-events.store.ts'

export interface Amendment {
  /** When the event was received. */
  readonly at: number
  readonly aggregationKey: string
  readonly fields: EventFields
  readonly amendedAt: number
}

/** In their order. An event that is gone, or of a deleted incident, is left out. */
export async function amendEvents(tx: Tx, amendments: readonly Amendment[]): Promise<void> {
  for (const { aggregationKey, at, fields, amendedAt } of amendments) {
    const [event] = await storedEvents(tx, aggregationKey, at, 1)
    if (!event) continue
    const body = JSON.stringify({ ...(JSON.parse(event.body) as EventFields), ...fields })
    if (body !== event.body) await changeStoredEvents(tx, [{ ...event, body }], amendedAt)
  }
}
