// Receivers of alerts: every query on their table.
import { sql } from 'kysely'
import { CONSOLE } from '@rookery/kernel/ids.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { WebhookTables } from './tables.ts'

export type ReceiverRow = WebhookTables['webhook']
/** Which incidents it is notified of. */
export type ReceiverAttention = Pick<ReceiverRow, 'levels' | 'quiet_hours'>

/** The receivers of a Flock, of one kind or of all, oldest first, those that were switched off too. */
export const listReceivers = (db: Query, flockId: string, kind?: string): Promise<ReceiverRow[]> =>
  db
    .selectFrom('webhook')
    .selectAll()
    .where('flock_id', '=', flockId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .orderBy('created_at')
    .orderBy('webhook_id')
    .execute()

export const findReceiverByUrl = (
  db: Query,
  flockId: string,
  kind: string,
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

/** When a receiver that is added now counts as created: receivers are listed by it, so no two of a Flock share it. */
export async function nextCreation(db: Query, flockId: string, now: number): Promise<number> {
  const last = await db
    .selectFrom('webhook')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('flock_id', '=', flockId)
    .executeTakeFirst()
  return Math.max(now, Number(last?.at ?? 0) + 1)
}

/** Stores a receiver, over the one of the same id. */
export async function putReceiver(tx: Tx, row: ReceiverRow): Promise<void> {
  await tx.insertMany('webhook', [{ ...row }], { key: ['webhook_id'], then: 'replace' })
  await tx.configChanged()
}

/** Its kind and host stay for the delivery log. */
export async function removeReceiver(tx: Tx, webhookId: string): Promise<void> {
  const row = await findReceiver(tx.query, webhookId)
  if (row) {
    const { webhook_id, kind, host } = row
    await tx.insertMany('removed_webhook', [{ webhook_id, kind, host }], {
      key: ['webhook_id'],
      then: 'replace',
    })
  }
  await tx.deleteMany('webhook', 'webhook_id', [webhookId])
  await tx.configChanged()
}

/** Stores since when every message fails; null while they pass. */
export const setFailingSince = (tx: Tx, webhookId: string, since: number | null): Promise<void> =>
  tx.updateMany('webhook', ['webhook_id'], [{ webhook_id: webhookId, failing_since: since }])

/** Switches a receiver off for a reason. */
export async function switchReceiverOff(tx: Tx, webhookId: string, reason: string): Promise<void> {
  await tx.updateMany('webhook', ['webhook_id'], [{ webhook_id: webhookId, disabled_reason: reason }])
  await tx.configChanged()
}

/** Switches it on again: it serves as one that was never off. */
export async function switchReceiverOn(tx: Tx, webhookId: string): Promise<void> {
  const row = { webhook_id: webhookId, disabled_reason: '', failing_since: null }
  await tx.updateMany('webhook', ['webhook_id'], [row])
  await tx.configChanged()
}

/** Flock id → ids of the receivers that take its incidents: its own, and those of every Flock. */
export interface ActiveReceivers extends Pick<ReadonlyMap<string, readonly string[]>, 'get' | 'size'> {
  /** Of those that are not notified of everything, by their id. */
  readonly attention: ReadonlyMap<string, ReceiverAttention>
  /** Those that are notified of what becomes of an incident. */
  readonly followers: readonly string[]
}

export interface ActiveKinds {
  /** The console's switch of webhooks. */
  readonly isOn: boolean
  /** Kinds that the switches of webhooks silence, the Flock's and the console's; the others have a switch of their own. */
  readonly switchedWithWebhooks: readonly string[]
  /** Kinds that take incidents. */
  readonly ofIncidents: readonly string[]
  /** Kinds that are notified of what becomes of them. */
  readonly followsStates: readonly string[]
}

export async function loadActiveReceivers(
  db: Query,
  { isOn, switchedWithWebhooks, ofIncidents, followsStates }: ActiveKinds,
): Promise<ActiveReceivers> {
  const rows = await db
    .selectFrom('webhook as w')
    .leftJoin('flock as f', 'f.flock_id', 'w.flock_id')
    .select(['w.flock_id', 'w.webhook_id', 'w.kind', 'w.levels', 'w.quiet_hours'])
    .where('w.disabled_reason', '=', '')
    .where((e) =>
      e.or([
        e('f.webhooks_mode', 'in', isOn ? ['on', 'global'] : ['on']),
        e('w.kind', 'not in', switchedWithWebhooks),
      ]),
    )
    .where('w.kind', 'in', ofIncidents)
    .orderBy('w.created_at')
    .orderBy('w.webhook_id')
    .execute()
  const own = new Map<string, readonly string[]>()
  for (const { flock_id, webhook_id } of rows) own.set(flock_id, [...(own.get(flock_id) ?? []), webhook_id])
  const everywhere = own.get(CONSOLE) ?? []
  own.delete(CONSOLE)
  const attention = new Map(
    rows
      .filter(({ levels, quiet_hours }) => levels !== '' || quiet_hours !== '')
      .map(({ webhook_id, levels, quiet_hours }) => [webhook_id, { levels, quiet_hours }]),
  )
  const get = (flockId: string): readonly string[] | undefined =>
    everywhere.length === 0 ? own.get(flockId) : [...(own.get(flockId) ?? []), ...everywhere]
  const followers = rows.filter(({ kind }) => followsStates.includes(kind)).map((row) => row.webhook_id)
  return { get, size: rows.length, attention, followers }
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
          // Repeats the predicate of the partial index `delivery_waiting`.
          .where(sql<boolean>`d.state = 'waiting'`),
      ),
    )
    .execute()
  return rows.map((row) => row.webhook_id)
}
