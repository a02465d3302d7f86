// Starts the long-read thread at the first need and hands queries to it.
import type { Worker } from 'node:worker_threads'
import type { CompiledQuery } from 'kysely'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { storable } from '../values.ts'
import { startThread } from '../thread.ts'

export interface LongReader {
  read<T>(query: CompiledQuery<T>): Promise<T[]>
  close(): Promise<void>
}

/** They run one after the other. */
const WAITING = limit('waiting_searches', 64)

type Reply = { readonly id: number; readonly rows?: unknown[]; readonly reason?: string }

export function openLongReader(path: string): LongReader {
  const waiting = new Map<number, { resolve: (rows: never) => void; reject: (reason: Error) => void }>()
  let worker: Worker | undefined
  let last = 0

  function start(): Worker {
    const made = startThread('long-read', import.meta.url, { path })
    made.on('message', ({ id, rows, reason }: Reply) => {
      const caller = waiting.get(id)
      waiting.delete(id)
      if (reason === undefined) caller?.resolve(rows as never)
      else caller?.reject(new Error(reason))
    })
    made.on('error', (error: Error) => {
      worker = undefined
      for (const caller of waiting.values()) caller.reject(error)
      waiting.clear()
    })
    return made
  }

  return {
    read<T>(query: CompiledQuery<T>) {
      if (waiting.size >= WAITING.max) {
        WAITING.hit()
        const fault = new Fault('unavailable', 'Too many searches run at once.', { retryAfterS: 5 })
        return Promise.reject(fault)
      }
      const id = ++last
      return new Promise<T[]>((resolve, reject) => {
        worker ??= start()
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, sql: query.sql, parameters: query.parameters.map(storable) })
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
