// Moves pages from the write-ahead log into the database file, beside the writer, so that no commit pays for it.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { checkpoint, type Mode } from './checkpoint.ts'

const { path } = workerData as { path: string }
// The writer waits for a RESTART: it must not take long when a reader stands in its way.
const database = new DatabaseSync(path, { timeout: 20 })
database.exec('PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0')

parentPort?.on('message', (asked: Mode | 'close') => {
  if (asked === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(checkpoint(database, asked))
})
