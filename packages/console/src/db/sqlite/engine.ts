// The default engine: one file in the data directory, WAL, every commit on disk before it is acknowledged.
import type { Engine } from '../engine.ts'
import { coalesce } from '../coalesce.ts'
import { rememberDamage } from '../damage.ts'
import { nextImmediate } from '../next-immediate.ts'
import { openCheckpointer } from './checkpointer.ts'
import { connect, type Connection } from './connection.ts'
import { diagnose, isBusy } from './errors.ts'
import { sqliteKysely } from './kysely.ts'
import { openLongReader } from './long-reader.ts'
import { openCommitSequence, type CommitSequence, type CommitSequenceRow } from '../commit-sequence.ts'
import { sqliteTx } from './tx.ts'

/** How long another program (`rookery key add`) may lock the file before the database counts as away. */
const BUSY_MS = 5_000
const BUSY_STEP_MS = 10

const READ_SEQUENCE = 'SELECT updated_id, config_version FROM commit_sequence WHERE id = 1'
const WRITE_SEQUENCE = 'UPDATE commit_sequence SET updated_id = ?, config_version = ? WHERE id = 1'

export function openSqlite(path: string): Engine {
  const writing = connect(path, { readOnly: false })
  // It has an effect only before the first table, and writes into the file each time: opening a database changes nothing.
  const isNew = writing.raw.prepare('PRAGMA page_count').get()?.['page_count'] === 0
  if (isNew) writing.raw.exec('PRAGMA auto_vacuum=INCREMENTAL')
  writing.raw.exec('PRAGMA journal_mode=WAL')
  const reading = connect(path, { readOnly: true })
  const writer = sqliteKysely(writing)
  const reader = sqliteKysely(reading)
  const checkpointer = openCheckpointer(path, writing)
  const longReader = openLongReader(path)

  return {
    name: 'sqlite',
    place: path,
    reader,
    // Answers that leave together wake the event loop less often: half the CPU time of a list (decision 0023).
    commitSequence: coalesce(
      () => reading.statement(READ_SEQUENCE).get([]) as CommitSequenceRow,
      nextImmediate,
    ),
    longRead: (query, limitMs = Infinity) => longReader.read(query, limitMs),
    async transaction(run) {
      await retryWhileBusy(() =>
        inTransaction(writing, (sequence) => run(sqliteTx(writing, writer, sequence))),
      )
      checkpointer.afterCommit()
    },
    async alter(run) {
      await retryWhileBusy(() => writer.transaction().execute(run))
      writing.clearStatements()
      reading.clearStatements()
    },
    ready: () => checkpointer.ready(),
    checkpointed: () => checkpointer.checkpointed(),
    ...rememberDamage(diagnose),
    retryable: () => false,
    async close() {
      await longReader.close()
      await checkpointer.close()
      await reader.destroy()
      try {
        writing.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // A full disk: the next start reads the log as it is.
      }
      await writer.destroy()
    },
  }
}

/** The writer's transactions come one at a time, so the query builder's own, which cost as much as a commit, are not needed. */
async function inTransaction(
  connection: Connection,
  run: (sequence: CommitSequence) => Promise<void>,
): Promise<void> {
  connection.statement('BEGIN IMMEDIATE').run([])
  try {
    const sequence = openCommitSequence(connection.statement(READ_SEQUENCE).get([]) as CommitSequenceRow)
    await run(sequence)
    const changed = sequence.changed()
    if (changed) connection.statement(WRITE_SEQUENCE).run([changed.updated_id, changed.config_version])
    connection.statement('COMMIT').run([])
  } catch (error) {
    // On a full disk SQLite rolls back by itself; a second ROLLBACK would hide the reason.
    if (connection.raw.isTransaction) connection.statement('ROLLBACK').run([])
    throw error
  }
}

/** Waits for another program's transaction without blocking the thread: BEGIN fails while the file is busy. */
async function retryWhileBusy(run: () => Promise<void>): Promise<void> {
  for (const since = performance.now(); ;) {
    try {
      return await run()
    } catch (error) {
      if (!isBusy(error) || performance.now() - since > BUSY_MS) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, BUSY_STEP_MS))
  }
}
