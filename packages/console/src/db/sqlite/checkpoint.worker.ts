// Moves pages from the write-ahead log into the database file, beside the writer, so that no commit pays for it.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const { path } = workerData as { path: string }
const database = new DatabaseSync(path, { timeout: 2_000 })
database.exec('PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0')

// RESTART waits for readers and lets the writer begin the log anew; PASSIVE never waits for anybody.
parentPort?.on('message', (mode: 'PASSIVE' | 'RESTART' | 'close') => {
  if (mode === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  try {
    database.exec(`PRAGMA wal_checkpoint(${mode})`)
    parentPort?.postMessage({ ok: true })
  } catch (error) {
    parentPort?.postMessage({ ok: false, reason: String(error) })
  }
})
