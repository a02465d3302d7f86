// After a restore, `updated_id` jumps past every number that was handed out since the backup.
import type { Tx } from '../db/query.ts'

const SKIPPED = 2 ** 32

/** Adds 2³² to `updated_id`: a poller must not wait for numbers that it has already seen. */
export const skipUpdatedIds = async (tx: Tx): Promise<void> => {
  await tx.updatedIds(SKIPPED)
}
