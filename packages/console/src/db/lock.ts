// `<data>/lock` admits one server to a data directory. SQLite locks the file: the kernel frees such a lock when the process dies.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@rookery/kernel/fault.ts'

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5
/** A killed process keeps the lock until the kernel has freed its memory. */
const WAIT_MS = 2_000

/**
 * Takes the lock, or throws a `conflict`; the answer releases it. The file stays: removing it would let two processes lock two files.
 * No other code of this process may open the file: closing it would release the lock (https://sqlite.org/howtocorrupt.html 2.2).
 */
export function takeLock(path: string): () => void {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: WAIT_MS })
    // Without a journal file: nothing is ever written.
    database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch (cause) {
    database?.close()
    throw lockFault(path, cause as Error & { errcode?: number })
  }
  const locked = database
  if (!existsSync(path)) {
    // A first start that failed has removed it meanwhile (setup/first-start.ts): two processes would lock two files.
    locked.close()
    return takeLock(path)
  }
  return () => locked.close()
}

function lockFault(path: string, cause: Error & { errcode?: number }): Fault {
  if (cause.errcode === SQLITE_BUSY)
    return new Fault(
      'conflict',
      `Another Rookery uses this data directory: ${path} is locked. Stop it, or give this one another ROOKERY_DATA_DIR.`,
      { cause },
    )
  return new Fault(
    'unavailable',
    `${path} cannot be locked: ${cause.message}. Free some space, or remove the file while no Rookery uses this data directory.`,
    { cause },
  )
}
