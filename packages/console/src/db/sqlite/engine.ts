// The default engine: one file in the data directory, WAL, every commit on disk before it is acknowledged.
import type { Engine } from '../engine.ts'
import { gathered } from '../gathered.ts'
import { openCheckpointer } from './checkpointer.ts'
import { connect, type Connection } from './connection.ts'
import { diagnose, isBusy } from './errors.ts'
import { sqliteKysely } from './kysely.ts'
import { openLongReader } from './long-reader.ts'
import { openCommitSequence, type CommitSequence, type CommitSequenceRow } from '../commit-sequence.ts'
import { sqliteTx } from './tx.ts'

/** How long another program (`rookery key add`, a doctor) may hold the file before it counts as away. */
const BUSY_MS = 5_000
const BUSY_STEP_MS = 10

const READ_TURN = 'SELECT updated_id, config_version FROM commit_sequence WHERE id = 1'
const WRITE_TURN = 'UPDATE commit_sequence SET updated_id = ?, config_version = ? WHERE id = 1'

export function openSqlite(path: string): Engine {
  const writing = connect(path, { readOnly: false })
  // auto_vacuum counts only before the first table; both are no-ops on a database that stands.
  writing.raw.exec('PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL')
  const reading = connect(path, { readOnly: true })
  const writer = sqliteKysely(writing)
  const reader = sqliteKysely(reading)
  const checkpointer = openCheckpointer(path, writing)
  const longReader = openLongReader(path)

  return {
    name: 'sqlite',
    place: path,
    reader,
    commitSequence: gathered(() => reading.statement(READ_TURN).get([]) as CommitSequenceRow),
    longRead: (query, limitMs = Infinity) => longReader.read(query, limitMs),
    async transaction(run) {
      await patiently(() => inTransaction(writing, (turn) => run(sqliteTx(writing, writer, turn))))
      checkpointer.afterCommit()
    },
    async alter(run) {
      await patiently(() => writer.transaction().execute(run))
      writing.forget()
      reading.forget()
    },
    ready: () => checkpointer.ready(),
    checkpointed: () => checkpointer.checkpointed(),
    diagnose,
    retryable: () => false,
    async close() {
      await longReader.close()
      await checkpointer.close()
      await reader.destroy()
      try {
        writing.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // A full disk: the log stays as it is, and the next start reads it.
      }
      await writer.destroy()
    },
  }
}

/** The writer's transactions come one at a time: no need for the query builder's own, which cost as much as a commit. */
async function inTransaction(
  connection: Connection,
  run: (turn: CommitSequence) => Promise<void>,
): Promise<void> {
  connection.statement('BEGIN IMMEDIATE').run([])
  try {
    const turn = openCommitSequence(connection.statement(READ_TURN).get([]) as CommitSequenceRow)
    await run(turn)
    const moved = turn.changed()
    if (moved) connection.statement(WRITE_TURN).run([moved.updated_id, moved.config_version])
    connection.statement('COMMIT').run([])
  } catch (error) {
    // A full disk makes SQLite roll back by itself; a second rollback would hide why.
    if (connection.raw.isTransaction) connection.statement('ROLLBACK').run([])
    throw error
  }
}

/** Waits for another program's transaction without stopping this thread: begun is nothing while the file is busy. */
async function patiently(run: () => Promise<void>): Promise<void> {
  for (const since = performance.now(); ;) {
    try {
      return await run()
    } catch (error) {
      if (!isBusy(error) || performance.now() - since > BUSY_MS) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, BUSY_STEP_MS))
  }
}
