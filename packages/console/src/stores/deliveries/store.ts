// The outbox: messages go in with the transaction that raised them, and old ones go out of the log.
import { sql } from 'kysely'
import type { Query, Tx } from '../../db/query.ts'
import type { DeliveryTables } from './tables.ts'

export type DeliveryRow = DeliveryTables['delivery']

/** A new message; the other columns have defaults. */
export type NewDelivery = Pick<
  DeliveryRow,
  'delivery_id' | 'message_id' | 'webhook_id' | 'flock_id' | 'subject' | 'next_at' | 'created_at'
> &
  Partial<Pick<DeliveryRow, 'incident_id' | 'payload' | 'state' | 'folded_into'>>

export const addDeliveries = (tx: Tx, rows: readonly NewDelivery[]): Promise<void> =>
  tx.insertMany(
    'delivery',
    rows.map((row) => ({
      delivery_id: row.delivery_id,
      message_id: row.message_id,
      webhook_id: row.webhook_id,
      flock_id: row.flock_id,
      subject: row.subject,
      incident_id: row.incident_id ?? 0,
      payload: row.payload ?? '',
      state: row.state ?? 'waiting',
      folded_into: row.folded_into ?? '',
      next_at: row.next_at,
      created_at: row.created_at,
    })),
  )

/** Backlog summaries that were not tried yet and are not due: they still take incidents. */
export const openBacklogs = (
  db: Query,
  now: number,
): Promise<Pick<DeliveryRow, 'delivery_id' | 'message_id' | 'webhook_id' | 'payload' | 'created_at'>[]> =>
  db
    .selectFrom('delivery')
    .select(['delivery_id', 'message_id', 'webhook_id', 'payload', 'created_at'])
    .where(sql<boolean>`state = 'waiting' AND (reduced = 1 OR partly_sent = 1 OR subject = 'backlog')`)
    .where('subject', '=', 'backlog')
    .where('attempts', '=', 0)
    .where('next_at', '>', now)
    .execute()

/** Counts the first try of a backlog summary before it is made: from now on it takes no more incidents. */
export async function closeBacklog(tx: Tx, deliveryId: number): Promise<void> {
  await tx.query
    .updateTable('delivery')
    .set({ attempts: 1 })
    .where('delivery_id', '=', deliveryId)
    .where('attempts', '=', 0)
    .execute()
}

/** Moves the first try of these messages. */
export const postpone = (
  tx: Tx,
  rows: readonly Pick<DeliveryRow, 'delivery_id' | 'next_at'>[],
): Promise<void> => tx.updateMany('delivery', ['delivery_id'], rows)

/** Ends everything that waits for a receiver, for a reason. */
export async function endWaiting(
  tx: Tx,
  webhookId: string,
  state: 'failed' | 'dropped',
  reason: string,
): Promise<void> {
  await tx.query
    .updateTable('delivery')
    .set({ state, reason })
    .where('webhook_id', '=', webhookId)
    .where(sql<boolean>`state = 'waiting'`)
    .execute()
}
