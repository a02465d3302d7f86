// One Bird per data directory. SQLite locks a file: the kernel frees such a lock when the process dies, however it dies.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@rookery/kernel/fault.ts'
import { directoryUnusable } from './data-directory.ts'

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

/** Locks the directory; the answer unlocks it. A `conflict` fault when another Bird has locked it. */
export function lockDirectory(directory: string): () => void {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(join(directory, 'bird.lock'))
    database.exec('PRAGMA journal_mode=MEMORY; PRAGMA busy_timeout=0; BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw directoryUnusable(directory, error)
    throw new Fault(
      'conflict',
      `Another Bird is running on the data directory ${directory}. Start this one with a directory of its own.`,
      { cause: error },
    )
  }
  const locked = database
  return () => locked.close()
}
