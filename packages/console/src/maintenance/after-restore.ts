// What a restore changes in the database that it has put in place.
import { readMeta, writeMeta } from '../db/meta.store.ts'
import type { Query, Tx } from '../db/query.ts'

const SKIPPED = 2 ** 32
const RESTORED_AT = 'restored_at'

/**
 * Adds 2³² to `updated_id`: a poller must not wait for numbers that it has already seen. Notes the time, since what the
 * database says of addresses is of the console before.
 */
export async function noteRestore(tx: Tx, now: number): Promise<void> {
  await tx.updatedIds(SKIPPED)
  await writeMeta(tx, RESTORED_AT, String(now))
}

/** When this database came out of a backup; undefined for one that never did. */
export async function restoredAt(db: Query): Promise<number | undefined> {
  const at = await readMeta(db, RESTORED_AT)
  return at === undefined ? undefined : Number(at)
}
