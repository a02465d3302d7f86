// Moves pages from the write-ahead log into the database file, beside the writer, so that no commit pays for it.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const { path } = workerData as { path: string }
// The writer waits for a RESTART: it must not take long when a reader stands in its way.
const database = new DatabaseSync(path, { timeout: 20 })
database.exec('PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0')

// RESTART waits for readers and lets the writer begin the log anew; PASSIVE never waits for anybody.
parentPort?.on('message', (mode: 'PASSIVE' | 'RESTART' | 'close') => {
  if (mode === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(checkpoint(mode))
})

/** Whether the whole log is in the database file now; false also when the disk refused. */
function checkpoint(mode: 'PASSIVE' | 'RESTART'): boolean {
  try {
    const [done] = database.prepare(`PRAGMA wal_checkpoint(${mode})`).all() as { busy: number }[]
    return done?.busy === 0
  } catch {
    return false
  }
}
