// Rows of `last_commit`: every connection that writes to PostgreSQL leaves one behind.
import type { Tx } from './query.ts'
import { removeBefore } from './remove-before.ts'

/** Those of connections that committed nothing since. */
export const removeOldCommits = (tx: Tx, before: number, most: number): Promise<number> =>
  removeBefore(tx, { table: 'last_commit', key: 'writer_id', at: 'committed_at' }, before, most)
