// Adds to events that are stored: what a visitor sent after the request that fired.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Tx } from '../../db/query.ts'
import { changeStoredEvents, storedEvents } from './stored-events.store.ts'

/** What a request adds to an event. */
export interface Addition {
  readonly fields: EventFields
  /** The key of a domain name: an event whose own is neither that of `fields` nor an end of it stays as it is. */
  readonly growingKey?: string | undefined
}

export interface Amendment extends Addition {
  /** When the event was received. */
  readonly at: number
  readonly aggregationKey: string
  readonly amendedAt: number
}

/** In their order. An event that is gone, or of a deleted incident, is left out. */
export async function amendEvents(tx: Tx, amendments: readonly Amendment[]): Promise<void> {
  for (const { aggregationKey, at, fields, amendedAt, growingKey } of amendments) {
    const [event] = await storedEvents(tx, aggregationKey, at, 1)
    if (!event) continue
    const before = JSON.parse(event.body) as EventFields
    if (growingKey !== undefined && !isWithin(before[growingKey], fields[growingKey])) continue
    const body = JSON.stringify({ ...before, ...fields })
    if (body !== event.body) await changeStoredEvents(tx, [{ ...event, body }], amendedAt)
  }
}

/** Whether the name is the other one or lies below it. */
const isWithin = (outer: unknown, name: unknown): boolean =>
  typeof outer !== 'string' || typeof name !== 'string' || name === outer || name.endsWith(`.${outer}`)
