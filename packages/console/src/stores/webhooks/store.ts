// Receivers of alerts: every query on their table.
import { sql } from 'kysely'
import { CONSOLE } from '@rookery/kernel/ids.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { ReceiverKind, WebhookTables } from './tables.ts'

export type ReceiverRow = WebhookTables['webhook']

/** The receivers of a Flock, of one kind or of all, oldest first, those that were switched off too. */
export const listReceivers = (db: Query, flockId: string, kind?: ReceiverKind): Promise<ReceiverRow[]> =>
  db
    .selectFrom('webhook')
    .selectAll()
    .where('flock_id', '=', flockId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as ReceiverKind))
    .orderBy('created_at')
    .orderBy('webhook_id')
    .execute()

export const findReceiverByUrl = (
  db: Query,
  flockId: string,
  kind: ReceiverKind,
  urlHash: string,
): Promise<ReceiverRow | undefined> =>
  db
    .selectFrom('webhook')
    .selectAll()
    .where('flock_id', '=', flockId)
    .where('kind', '=', kind)
    .where('url_hash', '=', urlHash)
    .executeTakeFirst()

export const findReceiver = (db: Query, webhookId: string): Promise<ReceiverRow | undefined> =>
  db.selectFrom('webhook').selectAll().where('webhook_id', '=', webhookId).executeTakeFirst()

/** Stores a receiver, over the one of the same id, and tells every console. */
export async function putReceiver(tx: Tx, row: ReceiverRow): Promise<void> {
  await tx.insertMany('webhook', [{ ...row }], { key: ['webhook_id'], then: 'replace' })
  await tx.configChanged()
}

export async function removeReceiver(tx: Tx, webhookId: string): Promise<void> {
  await tx.deleteMany('webhook', 'webhook_id', [webhookId])
  await tx.configChanged()
}

/** Notes since when every message fails; null when one passed. */
export const markFailing = (tx: Tx, webhookId: string, since: number | null): Promise<void> =>
  tx.updateMany('webhook', ['webhook_id'], [{ webhook_id: webhookId, failing_since: since }])

/** Switches a receiver off for a reason, and tells every console. */
export async function switchReceiverOff(tx: Tx, webhookId: string, reason: string): Promise<void> {
  await tx.updateMany('webhook', ['webhook_id'], [{ webhook_id: webhookId, disabled_reason: reason }])
  await tx.configChanged()
}

/** Kinds that the switches of webhooks silence, the Flock's and the console's; every other kind has a switch of its own. */
const WEBHOOKS: readonly ReceiverKind[] = ['generic', 'teamchat', 'chatops', 'siem']

/** Flock id → ids of the receivers that serve its incidents: its own, and those that are told of every Flock. */
export type Serving = Pick<ReadonlyMap<string, readonly string[]>, 'get' | 'size'>

/** `globally` is the console's switch of webhooks. */
export async function loadServing(db: Query, globally: boolean): Promise<Serving> {
  const rows = await db
    .selectFrom('webhook as w')
    .leftJoin('flock as f', 'f.flock_id', 'w.flock_id')
    .select(['w.flock_id', 'w.webhook_id'])
    .where('w.disabled_reason', '=', '')
    .where((e) =>
      e.or([
        e('f.webhooks_mode', 'in', globally ? ['on', 'global'] : ['on']),
        e('w.kind', 'not in', WEBHOOKS),
      ]),
    )
    // Who gets the summary of a week is told of no incident.
    .where('w.kind', '<>', 'summary')
    .orderBy('w.created_at')
    .orderBy('w.webhook_id')
    .execute()
  const own = new Map<string, readonly string[]>()
  for (const { flock_id, webhook_id } of rows) own.set(flock_id, [...(own.get(flock_id) ?? []), webhook_id])
  const everywhere = own.get(CONSOLE) ?? []
  if (everywhere.length === 0) return own
  own.delete(CONSOLE)
  return { get: (flockId) => [...(own.get(flockId) ?? []), ...everywhere], size: rows.length }
}

/** Receivers for which messages wait. */
export async function receiversWithWaiting(db: Query): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook as w')
    .select('w.webhook_id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('delivery as d')
          .select('d.delivery_id')
          .whereRef('d.webhook_id', '=', 'w.webhook_id')
          // Written out, so that the index of waiting rows serves.
          .where(sql<boolean>`d.state = 'waiting'`),
      ),
    )
    .execute()
  return rows.map((row) => row.webhook_id)
}
