// Reads that may take seconds, on a connection and a thread of their own, one after the other.
import type { SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from './connection.ts'
import { LIMIT_FUNCTION } from '../time-limit.ts'
import type { LongReadJob, LongReadReply } from './long-reader.ts'

const { path } = workerData as { path: string }
const { raw: database } = connect(path, { readOnly: true })
// A sort of millions of rows goes to a file, not to memory.
database.exec('PRAGMA temp_store=FILE')

let untilMs = Infinity
// Threads share the clock but not its origin.
const isLate = (): boolean => performance.timeOrigin + performance.now() > untilMs

database.function(LIMIT_FUNCTION, () => {
  if (isLate()) throw new Error('The time limit of this read has passed.')
  return 1
})

function answer(job: LongReadJob): LongReadReply {
  const { id } = job
  untilMs = job.untilMs
  if (isLate()) return { id, isLate: true }
  try {
    return { id, rows: database.prepare(job.sql).all(...(job.parameters as SQLInputValue[])) }
  } catch (error) {
    return isLate()
      ? { id, isLate: true }
      : { id, reason: String(error), errcode: (error as { errcode?: number }).errcode }
  }
}

parentPort?.on('message', (job: LongReadJob) => parentPort?.postMessage(answer(job)))
