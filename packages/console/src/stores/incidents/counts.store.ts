// Counts of incidents that are not deleted, by Flock and state, kept so that nobody has to count.
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
