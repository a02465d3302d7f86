// How events of providers come in: where polls go on, and the last heartbeat.
import type { Query, Tx } from '../../db/query.ts'
import type { ProviderTables } from './tables.ts'

export type FeedRow = ProviderTables['provider_feed']

export const readFeeds = (db: Query): Promise<FeedRow[]> =>
  db.selectFrom('provider_feed').selectAll().orderBy('provider').execute()

export const readFeed = (db: Query, provider: string): Promise<FeedRow | undefined> =>
  db.selectFrom('provider_feed').selectAll().where('provider', '=', provider).executeTakeFirst()

const UNFED = { position: '', fed_at: 0, failing_since: 0, last_error: '', silence_raised_at: 0 }

/** Changes the given columns; the row is made at the first change. */
export async function changeFeed(
  tx: Tx,
  provider: string,
  change: Partial<Omit<FeedRow, 'provider'>>,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await tx.insertMany('provider_feed', [{ provider, ...UNFED }], { key: ['provider'], then: 'skip' })
  await tx.query.updateTable('provider_feed').set(change).where('provider', '=', provider).execute()
}
