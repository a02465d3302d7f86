// Who gets the weekly summary.
import type { Query } from '../../db/query.ts'
import type { ReceiverRow } from './store.ts'

/** Receivers of summaries that serve; a Flock has at most one, and so has the console. */
export const summaryReceivers = (db: Query): Promise<Pick<ReceiverRow, 'webhook_id' | 'flock_id'>[]> =>
  db
    .selectFrom('webhook')
    .select(['webhook_id', 'flock_id'])
    .where('kind', '=', 'summary')
    .where('disabled_reason', '=', '')
    .orderBy('flock_id')
    .execute()
