// A writing transaction in two round trips of its own: BEGIN with the row lock, and the row's new values with COMMIT.
import { CompiledQuery, type Kysely } from 'kysely'
import { openCommitSequence, type CommitSequenceRow } from '../commit-sequence.ts'
import type { Query, Tx } from '../query.ts'
import type { Schema } from '../schema.gen.ts'
import { isOutcomeUnknown } from './errors.ts'
import { postgresTx } from './tx.ts'

/** After these the server itself ends a transaction, so that a console that stopped inside one releases the row lock. */
export interface TransactionLimits {
  /** How long it may wait for its console. */
  readonly idleMs: number
  /** How long it may wait for a lock: another console's transaction. */
  readonly lockMs: number
  readonly statementMs: number
}

// Who waits for the lock of a console that stopped outlasts it.
export const TRANSACTION_LIMITS: TransactionLimits = { idleMs: 4_000, lockMs: 5_000, statementMs: 30_000 }

/** The database's time, milliseconds since the epoch. */
export const NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::int8 AS now_ms'

/** Takes the database's time, and how long it was on its way at most. */
export type OnTime = (databaseMs: number, roundTripMs: number) => void

interface LockedRow extends CommitSequenceRow {
  readonly xact_id: string
  readonly fresh_id: string
  readonly now_ms: number
}

/** A transaction as its row of `last_commit` names it. */
export interface NumberedCommit {
  readonly writerId: string
  readonly number: number
  /** Of the server; after a failover another transaction may have it. */
  readonly xactId: string
}

export interface UnansweredCommit {
  readonly commit: NumberedCommit
  readonly error: unknown
}

export interface TransactionOptions {
  readonly limits: TransactionLimits
  readonly onTime: OnTime
}

/**
 * Answers a function that runs its argument in a transaction that holds the lock of `commit_sequence` (decision 0003). It
 * resolves with the transaction's number when the connection was lost in COMMIT: it may be committed.
 */
export function openTransactions(
  writer: Kysely<Schema>,
  { limits: { idleMs, lockMs, statementMs }, onTime }: TransactionOptions,
): (run: (tx: Tx) => Promise<void>) => Promise<UnansweredCommit | undefined> {
  // SET LOCAL passes through transaction poolers; a connection's own parameters do not.
  const begin = `BEGIN;
    SET LOCAL idle_in_transaction_session_timeout = ${idleMs};
    SET LOCAL lock_timeout = ${lockMs};
    SET LOCAL statement_timeout = ${statementMs};
    SELECT updated_id, config_version, pg_current_xact_id()::text AS xact_id, gen_random_uuid()::text AS fresh_id, ${NOW_MS} FROM commit_sequence WHERE id = 1 FOR UPDATE`
  let writerId: string | undefined
  let number = 0

  return (run) =>
    writer.connection().execute(async (connection) => {
      let commit: NumberedCommit | undefined
      try {
        const askedAtMs = performance.now()
        const [row] = await ask<LockedRow>(connection, begin)
        if (!row) throw new Error('commit_sequence has no row.')
        onTime(row.now_ms, performance.now() - askedAtMs)
        const sequence = openCommitSequence(row)
        await run(postgresTx(connection, sequence))
        writerId ??= row.fresh_id
        commit = { writerId, number: ++number, xactId: row.xact_id }
        await ask(connection, commitText(commit, row.now_ms, sequence.changed()))
        return undefined
      } catch (error) {
        if (commit && isOutcomeUnknown(error)) return { commit, error }
        await ask(connection, 'ROLLBACK')
        throw error
      }
    })
}

/**
 * COMMIT has no time limit: a wait for a synchronous standby that the server ends, or that is cancelled, counts there as
 * a success, and the commit is lost with the primary (postgresql.org, "Synchronous Replication").
 */
function commitText(
  { writerId, number }: NumberedCommit,
  nowMs: number,
  changed: CommitSequenceRow | undefined,
): string {
  const update = changed
    ? `UPDATE commit_sequence SET updated_id = ${changed.updated_id}, config_version = ${changed.config_version} WHERE id = 1;`
    : ''
  return `${update}
    INSERT INTO last_commit (writer_id, number, committed_at) VALUES ('${writerId}', ${number}, ${nowMs})
      ON CONFLICT (writer_id) DO UPDATE SET number = excluded.number, committed_at = excluded.committed_at;
    SET LOCAL statement_timeout = 0; COMMIT`
}

/** Statements without values travel in one message; the rows are the last one's. */
const ask = async <R>(connection: Query, text: string): Promise<R[]> =>
  (await connection.executeQuery<R>(CompiledQuery.raw(text))).rows
