// Statements of a transaction that do not wait for each other's answers.
import type { Tx } from './query.ts'

/**
 * On PostgreSQL all go out at once, and all have ended when this resolves or rejects: what still ran beyond a failure would
 * write behind the roll-back. On SQLite one follows the other, and none follows a failure: a full disk ends the
 * transaction there and then, so that what came after would stay.
 */
export async function pipeline(
  tx: Pick<Tx, 'engine'>,
  all: readonly (() => Promise<unknown>)[],
): Promise<void> {
  if (tx.engine === 'sqlite') {
    for (const run of all) await run()
    return
  }
  const ended = await Promise.allSettled(all.map((run) => run()))
  for (const one of ended) if (one.status === 'rejected') throw one.reason as Error
}
