// Rows of `last_commit`: every connection that writes to PostgreSQL leaves one behind.
import type { Tx } from './query.ts'

/** Removes at most `count` of connections that committed nothing since `before`; answers how many. */
export async function removeOldCommits(tx: Tx, before: number, count: number): Promise<number> {
  const old = await tx.query
    .selectFrom('last_commit')
    .select('writer_id')
    .where('committed_at', '<', before)
    .limit(count)
    .execute()
  await tx.deleteMany(
    'last_commit',
    'writer_id',
    old.map(({ writer_id }) => writer_id),
  )
  return old.length
}
