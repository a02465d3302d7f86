// Counts of incidents that are not deleted, by Flock and state, kept so that nobody has to count; and the last number given.
import { sql } from 'kysely'
import type { Query } from '../../db/query.ts'

/** Moves a kept count by `n`, in the caller's transaction. */
export async function addToCount(db: Query, flockId: string, acknowledged: 0 | 1, n: number): Promise<void> {
  await db
    .insertInto('incident_count')
    .values({ flock_id: flockId, acknowledged, n })
    .onConflict((c) =>
      c.columns(['flock_id', 'acknowledged']).doUpdateSet({ n: sql<number>`incident_count.n + excluded.n` }),
    )
    .execute()
}

/** The largest `updated_id` that is committed. */
export async function lastUpdatedId(db: Query): Promise<number> {
  const row = await db.selectFrom('turn').select('updated_id').where('id', '=', 1).executeTakeFirstOrThrow()
  return row.updated_id
}
