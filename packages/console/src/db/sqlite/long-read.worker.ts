// Reads that may take seconds, on a connection and a thread of their own.
import type { SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from './connection.ts'

const { path } = workerData as { path: string }
const { raw: database } = connect(path, { readOnly: true })

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
