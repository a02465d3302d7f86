// Aggregation keys that have gone quiet.
import type { Tx } from '../../db/query.ts'

/** Removes at most `most` keys without a touch since `before`; answers how many. */
export async function removeQuietKeys(tx: Tx, before: number, most: number): Promise<number> {
  const quiet = await tx.query
    .selectFrom('open_incident')
    .select('agg_key')
    .where('last_at', '<', before)
    .orderBy('last_at')
    .limit(most)
    .execute()
  await tx.deleteMany(
    'open_incident',
    'agg_key',
    quiet.map(({ agg_key }) => agg_key),
  )
  return quiet.length
}
