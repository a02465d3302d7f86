// Counts of incidents that are not deleted, by Flock and state, kept so that nobody has to count; and the last number given.
import type { Query, Tx } from '../../db/query.ts'

/** Moves kept counts, each by its `n`. */
export const addToCounts = (
  tx: Tx,
  counts: readonly { readonly flock_id: string; readonly acknowledged: number; readonly n: number }[],
): Promise<void> =>
  tx.insertMany('incident_count', counts, {
    key: ['flock_id', 'acknowledged'],
    then: 'replace',
    adding: ['n'],
  })

/** The largest `updated_id` that is committed. */
export async function lastUpdatedId(db: Query): Promise<number> {
  const row = await db
    .selectFrom('commit_sequence')
    .select('updated_id')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.updated_id
}
