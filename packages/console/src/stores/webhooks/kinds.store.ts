// Receivers by their kind.
import type { Query } from '../../db/query.ts'
import type { ReceiverRow } from './store.ts'

/** Receivers of these kinds that are not switched off. */
export const receiversOfKinds = (
  db: Query,
  kinds: readonly string[],
): Promise<Pick<ReceiverRow, 'webhook_id' | 'flock_id'>[]> =>
  db
    .selectFrom('webhook')
    .select(['webhook_id', 'flock_id'])
    .where('kind', 'in', kinds)
    .where('disabled_reason', '=', '')
    .orderBy('flock_id')
    .execute()
