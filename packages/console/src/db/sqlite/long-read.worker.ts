// Reads that may take seconds, on a connection and a thread of their own.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const { path } = workerData as { path: string }
const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })

parentPort?.on(
  'message',
  ({ id, sql, parameters }: { id: number; sql: string; parameters: SQLInputValue[] }) => {
    try {
      parentPort?.postMessage({ id, rows: database.prepare(sql).all(...parameters) })
    } catch (error) {
      parentPort?.postMessage({ id, reason: String(error) })
    }
  },
)
