// Copies pages from the write-ahead log into the database file in a thread of its own, so that no commit waits for it.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { checkpoint, type Mode } from './checkpoint.ts'

const { path } = workerData as { path: string }
// The writer waits for a RESTART: a reader must not delay it for long.
const database = new DatabaseSync(path, { timeout: 20 })
database.exec('PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0')

parentPort?.on('message', (command: Mode | 'close') => {
  if (command === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(checkpoint(database, command))
})
