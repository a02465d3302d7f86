// Which receivers have the alert of an incident.
import { sql } from 'kysely'
import type { Query } from '../../db/query.ts'
import type { DeliveryRow } from './store.ts'

export interface Receipt {
  readonly incidentId: number
  readonly webhookId: string
}

/** Messages of these incidents to receivers of these kinds, in their order: those that arrived, and those within a digest or a summary. */
export const receiptsQuery = (db: Query, kinds: readonly string[], incidentIds: readonly number[]) =>
  db
    .selectFrom('delivery as d')
    .innerJoin('webhook as w', 'w.webhook_id', 'd.webhook_id')
    .select(['d.incident_id', 'd.webhook_id', 'd.state', 'd.folded_into'])
    .where('w.kind', 'in', kinds)
    .where('d.incident_id', 'in', incidentIds)
    // Repeats the predicate of the partial index `delivery_by_incident`.
    .where(sql<boolean>`d.incident_id > 0`)
    .where('d.state', 'in', ['delivered', 'folded'])
    .orderBy('d.delivery_id')

/** Receivers of these kinds that have the alert of these incidents, in the order of the alerts. */
export async function receiptsOf(
  db: Query,
  kinds: readonly string[],
  incidentIds: readonly number[],
): Promise<Receipt[]> {
  if (kinds.length === 0 || incidentIds.length === 0) return []
  const sent = await receiptsQuery(db, kinds, incidentIds).execute()
  const folded = sent.filter(({ state }) => state === 'folded')
  const summaries = folded.length === 0 ? new Set() : await deliveredOf(db, folded)
  return sent
    .filter(({ state, folded_into }) => state === 'delivered' || summaries.has(folded_into))
    .map((row) => ({ incidentId: row.incident_id, webhookId: row.webhook_id }))
}

/** The digests and summaries, of those that hold these messages, that were delivered. */
async function deliveredOf(
  db: Query,
  folded: readonly { readonly webhook_id: string; readonly folded_into: string }[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('delivery')
    .select('message_id')
    .where('webhook_id', 'in', [...new Set(folded.map((row) => row.webhook_id))])
    .where('message_id', 'in', [...new Set(folded.map((row) => row.folded_into))])
    .where('state', '=', 'delivered')
    .execute()
  return new Set(rows.map((row) => row.message_id))
}

/** Of these receivers, those to which the alert of these incidents goes by itself, or went. */
export const alertsOf = (
  db: Query,
  webhookIds: readonly string[],
  incidentIds: readonly number[],
): Promise<Pick<DeliveryRow, 'incident_id' | 'webhook_id' | 'flock_id'>[]> =>
  db
    .selectFrom('delivery')
    .select(['incident_id', 'webhook_id', 'flock_id'])
    .where('incident_id', 'in', incidentIds)
    // Repeats the predicate of the partial index `delivery_by_incident`.
    .where(sql<boolean>`incident_id > 0`)
    .where('webhook_id', 'in', webhookIds)
    .where('subject', '=', 'incident')
    .where('replay_of', '=', 0)
    .where('state', 'in', ['waiting', 'delivered'])
    .orderBy('delivery_id')
    .execute()
