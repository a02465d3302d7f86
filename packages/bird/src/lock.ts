// One Bird per data directory. The lock is SQLite's on a file of its own: the kernel frees it when the process dies, however it dies.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@rookery/kernel/fault.ts'
import { unusable } from './directory.ts'

const BUSY = 5

/** Takes the directory; the answer gives it back. A `conflict` fault when another Bird has it. */
export function lockDirectory(directory: string): () => void {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(join(directory, 'bird.lock'))
    database.exec('PRAGMA journal_mode=MEMORY; PRAGMA busy_timeout=0; BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    if ((error as { errcode?: number }).errcode !== BUSY) throw unusable(directory, error)
    throw new Fault(
      'conflict',
      `Another Bird is running on the data directory ${directory}. Give this one a directory of its own.`,
      { cause: error },
    )
  }
  const held = database
  return () => held.close()
}
