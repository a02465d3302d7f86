// Whether a transaction whose COMMIT was not answered has been committed: the server remembers (`pg_xact_status`).
import { sql } from 'kysely'
import type { Query } from '../query.ts'
import { CommitAborted, isInvalidParameter } from './errors.ts'

const ASK_MS = 30_000
const PAUSE_MS = 100

/**
 * Returns when the transaction was committed, throws `CommitAborted` when it was rolled back, and `cause` when the server
 * has not answered within 30 s. `onForgotten` is called when the server does not know the transaction: it counts as rolled back.
 */
export async function settleCommit(
  reader: Query,
  xactId: string,
  cause: unknown,
  onForgotten: (xactId: string) => void,
): Promise<void> {
  for (const since = performance.now(); performance.now() - since < ASK_MS;) {
    const status = await statusOf(reader, xactId)
    if (status === 'committed') return
    if (status === 'forgotten') onForgotten(xactId)
    if (status === 'aborted' || status === 'forgotten')
      throw new CommitAborted(`The database rolled back transaction ${xactId}.`, { cause })
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw cause
}

/** Undefined while the server does not answer. A standby may not have heard of the commit yet. */
async function statusOf(reader: Query, xactId: string): Promise<string | undefined> {
  const asked = sql<{ status: string | null }>`
    SELECT CASE WHEN pg_is_in_recovery() THEN 'in progress' ELSE pg_xact_status(${xactId}::xid8) END AS status`
  try {
    const { rows } = await asked.execute(reader)
    return rows[0]?.status ?? 'forgotten'
  } catch (error) {
    // "transaction ID is in the future": the promoted standby never got it.
    return isInvalidParameter(error) ? 'forgotten' : undefined
  }
}
