// Statements of a transaction that do not wait for each other's answers: on PostgreSQL they go out at once.

/** Resolves or rejects once all have ended: what still ran beyond a failure would write behind the roll-back. */
export async function together(all: readonly Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(all)
  for (const one of ended) if (one.status === 'rejected') throw one.reason as Error
}
