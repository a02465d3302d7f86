// One checkpoint of the write-ahead log, on whichever connection.
import type { DatabaseSync } from 'node:sqlite'

/** RESTART waits for readers and lets the writer begin the log anew; PASSIVE never waits for anybody. */
export type Mode = 'PASSIVE' | 'RESTART'

/** Whether the whole log is in the database file now; false also when the disk refused. */
export function checkpoint(database: DatabaseSync, mode: Mode): boolean {
  try {
    const [done] = database.prepare(`PRAGMA wal_checkpoint(${mode})`).all() as { busy: number }[]
    return done?.busy === 0
  } catch {
    return false
  }
}
