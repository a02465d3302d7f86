// One checkpoint of the write-ahead log, on any connection.
import type { DatabaseSync } from 'node:sqlite'

/** RESTART waits for readers, and lets the writer start the log anew; PASSIVE never waits (sqlite.org/c3ref/wal_checkpoint_v2.html). */
export type Mode = 'PASSIVE' | 'RESTART'

/** Whether the whole log is in the database file now; false also after an error of the disk. */
export function checkpoint(database: DatabaseSync, mode: Mode): boolean {
  try {
    const [done] = database.prepare(`PRAGMA wal_checkpoint(${mode})`).all() as { busy: number }[]
    return done?.busy === 0
  } catch {
    return false
  }
}
