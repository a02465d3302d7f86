// Whether a transaction whose COMMIT was not answered has been committed: its row of `last_commit` says so once it has ended
// (decision 0028).
import { sql } from 'kysely'
import type { Query } from '../query.ts'
import { CommitAborted, isInvalidParameter } from './errors.ts'
import type { NumberedCommit } from './transaction.ts'

const ASK_MS = 30_000
const PAUSE_MS = 100

/**
 * Returns when the transaction was committed, throws `CommitAborted` when it was rolled back, and `cause` when the server
 * has not answered within 30 s, or is not asked any longer.
 */
export async function settleCommit(
  reader: Query,
  commit: NumberedCommit,
  cause: unknown,
  isAbandoned: () => boolean,
): Promise<void> {
  for (const since = performance.now(); performance.now() - since < ASK_MS && !isAbandoned();) {
    const isCommitted = (await hasEnded(reader, commit)) ? await isStored(reader, commit) : undefined
    if (isCommitted === true) return
    if (isCommitted === false)
      throw new CommitAborted(`The database rolled back transaction ${commit.xactId}.`, { cause })
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw cause
}

/**
 * False while it runs, or the server does not answer. How it ended is not asked here: a standby that was promoted gives
 * the ids of what it never got to other transactions.
 */
async function hasEnded(reader: Query, { xactId }: NumberedCommit): Promise<boolean> {
  const asked = sql<{ status: string | null }>`
    SELECT CASE WHEN pg_is_in_recovery() THEN 'in progress' ELSE pg_xact_status(${xactId}::xid8) END AS status`
  try {
    const { rows } = await asked.execute(reader)
    return rows[0]?.status !== 'in progress'
  } catch (error) {
    // "transaction ID is in the future": the promoted standby never got it.
    return isInvalidParameter(error)
  }
}

/** Undefined while the server does not answer. Asked behind `hasEnded`: the snapshot must be a later one. */
async function isStored(reader: Query, { writerId, number }: NumberedCommit): Promise<boolean | undefined> {
  const asked = sql<{ stored: boolean; isStandby: boolean }>`
    SELECT pg_is_in_recovery() AS "isStandby",
      EXISTS (SELECT 1 FROM last_commit WHERE writer_id = ${writerId} AND number = ${number}) AS stored`
  try {
    const { rows } = await asked.execute(reader)
    const [row] = rows
    return row === undefined || row.isStandby ? undefined : row.stored
  } catch {
    return undefined
  }
}
