// The default engine: one file in the data directory, WAL, every commit on disk before it is acknowledged.
import type { Engine } from '../engine.ts'
import { startCheckpointer } from './checkpointer.ts'
import { connect } from './connection.ts'
import { sqliteKysely } from './kysely.ts'
import { openLongReader } from './long-reader.ts'
import { sqliteTx } from './tx.ts'

const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_IOERR = 10

export function openSqlite(path: string): Engine {
  const writing = connect(path, { readOnly: false })
  // auto_vacuum counts only before the first table; both are no-ops on a database that stands.
  writing.raw.exec('PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL')
  const reading = connect(path, { readOnly: true })
  const writer = sqliteKysely(writing)
  const reader = sqliteKysely(reading)
  const checkpointer = startCheckpointer(path, writing)
  const longReader = openLongReader(path)

  return {
    name: 'sqlite',
    place: path,
    reader,
    longRead: (query) => longReader.read(query),
    async transaction(run) {
      await writer.transaction().execute((trx) => run(sqliteTx(writing, trx)))
      checkpointer.afterCommit()
    },
    alter: (run) => writer.transaction().execute(run),
    ready: () => checkpointer.ready(),
    diagnose(error) {
      const code = (error as { errcode?: number }).errcode
      if (code === undefined) return 'other'
      const primary = code & 0xff
      // A full disk shows as FULL, or as a failed write of the log (IOERR) when the file system is at its end.
      if (primary === SQLITE_FULL || code === (SQLITE_IOERR | (3 << 8))) return 'full'
      return primary === SQLITE_IOERR || primary === SQLITE_CANTOPEN ? 'away' : 'other'
    },
    retryable: () => false,
    async close() {
      await longReader.close()
      await checkpointer.close()
      await reader.destroy()
      writing.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      await writer.destroy()
    },
  }
}
