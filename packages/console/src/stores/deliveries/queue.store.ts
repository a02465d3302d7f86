// A receiver's queue: waiting rows with all that their messages need, and the results of tries.
import { sql, type RawBuilder } from 'kysely'
import type { Query, Tx } from '../../db/query.ts'
import type { DeliveryRow } from './store.ts'

/** A waiting message. The incident's columns are null where it speaks of none. */
export type QueuedRow = Awaited<ReturnType<typeof loadInOrder>>[number]

// They repeat the predicates of the partial indexes `delivery_waiting` and `delivery_scheduled`.
const waiting = sql<boolean>`d.state = 'waiting'`
const scheduled = sql<boolean>`d.state = 'waiting' AND (d.reduced = 1 OR d.partly_sent = 1 OR d.subject = 'backlog')`
const inOrder = sql<boolean>`d.state = 'waiting' AND d.reduced = 0 AND d.partly_sent = 0 AND d.subject <> 'backlog'`

const rows = (db: Query) =>
  db
    .selectFrom('delivery as d')
    .leftJoin('incident_fact as i', 'i.incident_id', 'd.incident_id')
    .leftJoin('incident_state as s', 's.incident_id', 'd.incident_id')
    .leftJoin('incident_event as e', (on) =>
      on.onRef('e.incident_id', '=', 'd.incident_id').on('e.slot', '=', 1),
    )
    .leftJoin('flock as f', 'f.flock_id', 'd.flock_id')
    .leftJoin('bird as b', 'b.node_id', 'i.node_id')
    .leftJoin('token as t', 't.token_id', 'i.node_id')
    .leftJoin('token_count as c', 'c.number', 't.number')
    .select([
      'd.delivery_id',
      'd.message_id',
      'd.flock_id',
      'd.subject',
      'd.incident_id',
      'd.payload',
      'd.attempts',
      'd.reduced',
      'd.partly_sent',
      'd.next_at',
      'd.created_at',
      'f.name as flock_name',
      'i.incident_key',
      'i.hash_id',
      'i.logtype',
      'i.summary',
      'i.node_id',
      'i.name',
      'i.memo',
      'i.annotations',
      's.src_host',
      's.src_host_reverse',
      'i.dst_port',
      'i.ip_address',
      'i.dst_host',
      'i.created_at as incident_at',
      's.events_count',
      'e.body as event',
      'b.location',
      't.placement',
      'c.triggered_count',
    ])

const queued = (db: Query, which: RawBuilder<boolean>, webhookId: string) =>
  rows(db).where('d.webhook_id', '=', webhookId).where(which)

/** A message with all that it needs, whatever became of it. */
export const loadMessage = (db: Query, deliveryId: number): Promise<QueuedRow | undefined> =>
  rows(db).where('d.delivery_id', '=', deliveryId).executeTakeFirst()

/** Messages of the ordered queue behind `after`, in their order. */
export const loadInOrder = (db: Query, webhookId: string, after: number, max: number) =>
  queued(db, inOrder, webhookId)
    .where('d.delivery_id', '>', after)
    .orderBy('d.delivery_id')
    .limit(max)
    .execute()

/** Messages that keep their own schedule, by when they are due. */
export const loadScheduled = (db: Query, webhookId: string, max: number): Promise<QueuedRow[]> =>
  queued(db, scheduled, webhookId).orderBy('d.next_at').orderBy('d.delivery_id').limit(max).execute()

/** Of the next `max` messages behind a number: their receivers, whether some keep their own schedule, and the last number. */
export async function receiversSince(
  db: Query,
  after: number,
  max: number,
): Promise<{ receivers: { webhookId: string; scheduled: boolean }[]; last: number; isFull: boolean }> {
  const rows = await db
    .selectFrom('delivery')
    .select(['delivery_id', 'webhook_id', 'subject'])
    .where('delivery_id', '>', after)
    .orderBy('delivery_id')
    .limit(max)
    .execute()
  const own = Map.groupBy(rows, (row) => row.webhook_id)
  return {
    receivers: [...own].map(([webhookId, messages]) => ({
      webhookId,
      scheduled: messages.some((it) => it.subject === 'backlog'),
    })),
    last: rows.at(-1)?.delivery_id ?? after,
    isFull: rows.length === max,
  }
}

/** The largest number of a delivery; 0 when there is none. */
export async function lastDelivery(db: Query): Promise<number> {
  const row = await db
    .selectFrom('delivery')
    .select((e) => e.fn.max<number | null>('delivery_id').as('last'))
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}

export type Outcome = Pick<
  DeliveryRow,
  | 'delivery_id'
  | 'state'
  | 'attempts'
  | 'reduced'
  | 'partly_sent'
  | 'next_at'
  | 'delivered_at'
  | 'status'
  | 'reason'
>

/** Writes what became of tries; every row is whole, so that the last one counts. */
export const writeOutcomes = (tx: Tx, rows: readonly Outcome[]): Promise<void> =>
  tx.updateMany(
    'delivery',
    ['delivery_id'],
    rows.map((row) => ({ ...row })),
  )

/** Folds at most `max` waiting incidents before `before` into another message; answers how many. */
export async function foldWaiting(
  tx: Tx,
  webhookId: string,
  into: string,
  before: number,
  max: number,
): Promise<number> {
  const rows = await tx.query
    .selectFrom('delivery as d')
    .select('d.delivery_id')
    .where('d.webhook_id', '=', webhookId)
    .where(waiting)
    .where('d.reduced', '=', 0)
    .where('d.partly_sent', '=', 0)
    .where('d.subject', '=', 'incident')
    .where('d.delivery_id', '<', before)
    .orderBy('d.delivery_id')
    .limit(max)
    .execute()
  await tx.updateMany(
    'delivery',
    ['delivery_id'],
    rows.map(({ delivery_id }) => ({ delivery_id, state: 'folded', folded_into: into })),
  )
  return rows.length
}
