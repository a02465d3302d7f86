// Runs long queries in a thread, which starts at the first one.
import type { Worker } from 'node:worker_threads'
import type { CompiledQuery } from 'kysely'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { tookTooLong } from '../time-limit.ts'
import { storable } from '../values.ts'
import { startThread } from '../thread.ts'

export interface LongReader {
  /** Rejects with `unavailable` once `limitMs` have passed, waiting included, if the statement asks `withinTime`. */
  read<T>(query: CompiledQuery<T>, limitMs: number): Promise<T[]>
  close(): Promise<void>
}

export interface LongReadJob {
  readonly id: number
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** In milliseconds since 1970, by `performance`. */
  readonly untilMs: number
}

export interface LongReadReply {
  readonly id: number
  readonly rows?: unknown[]
  readonly isLate?: true
  readonly reason?: string
  /** SQLite's result code behind the reason. */
  readonly errcode?: number | undefined
}

/** Reads run one after the other; more callers than this are refused. */
const WAITING = limit('waiting_searches', 64)

interface PendingRead {
  readonly limitMs: number
  readonly resolve: (rows: never) => void
  readonly reject: (reason: Error) => void
}

export function openLongReader(path: string): LongReader {
  const waiting = new Map<number, PendingRead>()
  let worker: Worker | undefined
  let last = 0

  function start(): Worker {
    const made = startThread('long-read', import.meta.url, { path })
    made.on('message', ({ id, rows, isLate, reason, errcode }: LongReadReply) => {
      const caller = waiting.get(id)
      waiting.delete(id)
      if (isLate) caller?.reject(tookTooLong(caller.limitMs))
      else if (reason === undefined) caller?.resolve(rows as never)
      else caller?.reject(Object.assign(new Error(reason), { errcode }))
    })
    made.on('error', (error: Error) => {
      worker = undefined
      for (const caller of waiting.values()) caller.reject(error)
      waiting.clear()
    })
    return made
  }

  return {
    read<T>(query: CompiledQuery<T>, limitMs: number) {
      if (waiting.size >= WAITING.max) {
        WAITING.hit()
        const fault = new Fault('unavailable', 'Too many searches run at once.', { retryAfterS: 5 })
        return Promise.reject(fault)
      }
      const id = ++last
      return new Promise<T[]>((resolve, reject) => {
        worker ??= start()
        waiting.set(id, { limitMs, resolve, reject })
        worker.postMessage({
          id,
          sql: query.sql,
          parameters: query.parameters.map(storable),
          untilMs: performance.timeOrigin + performance.now() + limitMs,
        } satisfies LongReadJob)
      })
    },
    async close() {
      const stopping = worker?.terminate()
      for (const { reject } of waiting.values()) reject(new Fault('unavailable', 'The console is stopping.'))
      waiting.clear()
      await stopping
    },
  }
}
