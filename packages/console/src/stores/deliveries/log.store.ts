// The log of deliveries: what was sent where and what became of it, and sending it again.
import { sql } from 'kysely'
import type { Query, Scope, Tx } from '../../db/query.ts'
import { scopeIds } from '../../db/scope.ts'
import type { DeliveryRow } from './store.ts'

export interface LogFilter {
  readonly flockId?: string
  readonly webhookId?: string
  readonly state?: DeliveryRow['state']
  /** Made at or after, milliseconds. */
  readonly since?: number
  readonly incidentId?: number
}

/** A delivery with its receiver and incident; null where they never were, or the incident is gone. */
export type LogRow = Omit<DeliveryRow, 'folded_into' | 'payload' | 'partly_sent'> & {
  readonly kind: string | null
  readonly host: string | null
  readonly incident_key: string | null
}

const logged = (db: Query) =>
  db
    .selectFrom('delivery as d')
    .leftJoin('webhook as w', 'w.webhook_id', 'd.webhook_id')
    .leftJoin('removed_webhook as r', 'r.webhook_id', 'd.webhook_id')
    .leftJoin('incident_fact as i', 'i.incident_id', 'd.incident_id')
    .select(({ fn }) => [
      'd.delivery_id',
      'd.message_id',
      'd.replay_of',
      'd.webhook_id',
      'd.flock_id',
      'd.subject',
      'd.incident_id',
      'd.state',
      'd.attempts',
      'd.reduced',
      'd.next_at',
      'd.created_at',
      'd.delivered_at',
      'd.status',
      'd.reason',
      fn.coalesce('w.kind', 'r.kind').as('kind'),
      fn.coalesce('w.host', 'r.host').as('host'),
      'i.incident_key',
    ])

/** Deliveries before a number, the newest first. */
export const listDeliveries = (
  db: Query,
  scope: Scope,
  { flockId, webhookId, state, since, incidentId }: LogFilter,
  before: number | undefined,
  max: number,
): Promise<LogRow[]> =>
  logged(db)
    .$if(scope !== 'all', (query) => query.where('d.flock_id', 'in', scopeIds(scope)))
    .$if(flockId !== undefined, (query) => query.where('d.flock_id', '=', flockId ?? ''))
    .$if(webhookId !== undefined, (query) => query.where('d.webhook_id', '=', webhookId ?? ''))
    .$if(state !== undefined, (query) => query.where('d.state', '=', state ?? 'waiting'))
    .$if(since !== undefined, (query) => query.where('d.created_at', '>=', since ?? 0))
    // `delivery_by_incident` is partial: the query repeats its predicate.
    .$if(incidentId !== undefined, (query) =>
      query.where('d.incident_id', '=', incidentId ?? 0).where('d.incident_id', '>', 0),
    )
    .$if(before !== undefined, (query) => query.where('d.delivery_id', '<', before ?? 0))
    .orderBy('d.delivery_id', 'desc')
    .limit(max)
    .execute()

export async function findDelivery(db: Query, scope: Scope, deliveryId: number): Promise<LogRow | undefined> {
  const row = await logged(db).where('d.delivery_id', '=', deliveryId).executeTakeFirst()
  return row && (scope === 'all' || scope.includes(row.flock_id)) ? row : undefined
}

export type Replayable = Extract<DeliveryRow['state'], 'failed' | 'dropped' | 'delivered'>

/** Deliveries to a receiver that ended so and were not sent again yet, the oldest first; without those whose incident is gone. */
export const notReplayed = async (
  db: Query,
  webhookId: string,
  states: readonly Replayable[],
  since: number,
  max: number,
): Promise<number[]> => {
  const rows = await db
    .selectFrom('delivery as d')
    .leftJoin('incident_fact as i', 'i.incident_id', 'd.incident_id')
    .select('d.delivery_id')
    .where('d.webhook_id', '=', webhookId)
    .where('d.state', 'in', [...states])
    .where('d.created_at', '>=', since)
    .where((e) => e.or([e('d.subject', '<>', 'incident'), e('i.incident_id', 'is not', null)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery as again')
            .select('again.delivery_id')
            .whereRef('again.replay_of', '=', 'd.delivery_id')
            // Repeats the predicate of the partial index `delivery_replayed`.
            .where(sql<boolean>`again.replay_of > 0`),
        ),
      ),
    )
    .orderBy('d.delivery_id')
    .limit(max)
    .execute()
  return rows.map((row) => row.delivery_id)
}

/** Puts the messages of these deliveries behind everything that waits, under their ids; answers the new numbers. */
export async function replay(tx: Tx, deliveryIds: readonly number[], now: number): Promise<number[]> {
  if (deliveryIds.length === 0) return []
  const first = await tx.updatedIds(deliveryIds.length)
  const fresh: number[] = []
  for (let at = 0; at < deliveryIds.length; at += CHUNK) {
    const rows = await tx.query
      .selectFrom('delivery')
      .select(['delivery_id', 'message_id', 'webhook_id', 'flock_id', 'subject', 'incident_id', 'payload'])
      .where('delivery_id', 'in', deliveryIds.slice(at, at + CHUNK))
      .orderBy('delivery_id')
      .execute()
    const again = rows.map((row, index) => ({
      ...row,
      delivery_id: first + at + index,
      replay_of: row.delivery_id,
      state: 'waiting' as const,
      next_at: now,
      created_at: now,
    }))
    await tx.insertMany('delivery', again)
    fresh.push(...again.map((row) => row.delivery_id))
  }
  return fresh
}

const CHUNK = 500
