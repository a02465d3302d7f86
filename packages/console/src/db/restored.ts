// After a restore: numbers jump past every one that was ever handed out since the backup.
import type { Tx } from './query.ts'

const FAR = 2 ** 32

/** Adds 2³² to `updated_id`, so that no poller waits for numbers that it has already seen. */
export const skipUpdatedIds = async (tx: Tx): Promise<void> => {
  await tx.updatedIds(FAR)
}
