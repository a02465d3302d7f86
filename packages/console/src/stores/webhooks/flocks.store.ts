// What happens to receivers when their Flock goes.
import type { Query } from '../../db/query.ts'

export async function removeReceiversOfFlock(db: Query, flockId: string): Promise<void> {
  await db.deleteFrom('webhook').where('flock_id', '=', flockId).execute()
}
