// The thread that searches: started at the first need, ended when nobody has asked for a while.
import type { Worker } from 'node:worker_threads'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { DatabaseTarget } from '../../db/snapshot-reader.ts'
import { startThread } from '../../db/thread.ts'
import type { Prepared } from '../../stores/incidents/index-writing.store.ts'
import type { FindRequest, Found } from './request.ts'

export interface Finder {
  find(request: FindRequest): Promise<Found>
  /** The next block of the search index, ready to be stored; undefined while there are too few incidents. */
  draft(): Promise<Prepared | undefined>
  stop(): Promise<void>
}

export interface Asked {
  readonly id: number
  readonly untilMs: number
  readonly ask: { readonly kind: 'find'; readonly request: FindRequest } | { readonly kind: 'draft' }
}

export interface Told {
  readonly id: number
  readonly value?: unknown
  readonly tooLong?: boolean
  readonly reason?: string
}

/** A search that runs longer is broken off between two portions; whoever waits behind it is served then. */
const LONGEST_MS = 15_000
const MOST_WAITING = 64
const IDLE_MS = 60_000

export function openFinder(link: DatabaseTarget, clock: Clock): Finder {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (reason: Error) => void }>()
  let worker: Worker | undefined
  let last = 0
  let stopped = false
  let cancelIdle = (): void => undefined

  function start(): Worker {
    const made = startThread('find', import.meta.url, { link })
    made.on('message', ({ id, value, tooLong, reason }: Told) => {
      const caller = waiting.get(id)
      waiting.delete(id)
      if (tooLong) caller?.reject(tooMuch('The search took too long: narrow it down.'))
      else if (reason === undefined) caller?.resolve(value as never)
      else caller?.reject(new Error(reason))
      if (waiting.size === 0) restLater()
    })
    made.on('error', (error: Error) => fail(made, error))
    made.on('exit', () => fail(made, new Error('The search thread ended.')))
    return made
  }

  function fail(of: Worker, error: Error): void {
    if (worker !== of) return
    worker = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function restLater(): void {
    cancelIdle()
    cancelIdle = clock.after(IDLE_MS, () => {
      if (waiting.size > 0) return
      const resting = worker
      worker = undefined
      void resting?.terminate()
    })
  }

  function ask<T>(what: Asked['ask']): Promise<T> {
    if (stopped) return Promise.reject(new Fault('unavailable', 'The console is stopping.'))
    if (waiting.size >= MOST_WAITING) return Promise.reject(tooMuch('Too many searches run at once.'))
    cancelIdle()
    const id = ++last
    const untilMs = performance.timeOrigin + performance.now() + LONGEST_MS
    return new Promise<T>((resolve, reject) => {
      worker ??= start()
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, untilMs, ask: what } satisfies Asked)
    })
  }

  return {
    find: (request) => ask({ kind: 'find', request }),
    draft: () => ask({ kind: 'draft' }),
    async stop() {
      stopped = true
      cancelIdle()
      const ending = worker
      worker = undefined
      for (const { reject } of waiting.values()) reject(new Fault('unavailable', 'The console is stopping.'))
      waiting.clear()
      await ending?.terminate()
    },
  }
}

const tooMuch = (message: string): Fault => new Fault('unavailable', message, { retryAfterS: 5 })
