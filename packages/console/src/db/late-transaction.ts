// A transaction that begins before its items are known: what arrives while it waits for the writer joins it.
import type { AuditEntry } from './audit-entry.ts'
import type { Work } from './engine.ts'
import type { Tx } from './query.ts'
import type { Writer } from './writer.ts'

export interface LateTransaction<T, R> {
  /** Resolves when the transaction asks for its items, and when it fails before that. */
  readonly begun: Promise<void>
  /** Hands the items over; resolves after the commit with what `store` answered, rejects with what it threw. */
  commit(items: readonly T[]): Promise<R>
}

/** `store` is called again, with the same items, when the transaction is run again; `trail` as the writer's. */
export function lateTransaction<T, R>(
  writer: Pick<Writer, 'write'>,
  kind: Work,
  store: (tx: Tx, items: readonly T[]) => Promise<R>,
  trail?: (outcome: R) => readonly AuditEntry[],
): LateTransaction<T, R> {
  const begun = Promise.withResolvers<void>()
  const given = Promise.withResolvers<readonly T[]>()
  const written = writer.write(
    async (tx) => {
      begun.resolve()
      return store(tx, await given.promise)
    },
    kind,
    trail,
  )
  written.catch(() => begun.resolve())
  return {
    begun: begun.promise,
    commit(items) {
      given.resolve(items)
      return written
    },
  }
}
