// The files of tokens, made one at a time in a process that is started when one is asked for, and ended after 30 s without.
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { ForgedFile } from '@rookery/tokens/forge.ts'
import { startForgeProcess, type ForgeProcess } from './forge-process.ts'
import type { ForgeJob } from './messages.ts'

export interface ForgeQueue {
  /**
   * Makes a file; `read` is called when its turn comes, so that waiting jobs take no memory. Rejects with what the kind or
   * `read` threw, with `ForgeEnded`, with `ForgingTooLong` after 20 s, and with `unavailable` when too many wait.
   */
  forge(read: () => Promise<ForgeJob>): Promise<ForgedFile>
  /** Ends the process; what waits is refused. */
  stop(): void
}

export class ForgingTooLong extends Error {}

interface QueueOptions {
  readonly clock: Clock
  readonly start?: () => ForgeProcess
}

/** Files that wait to be made; further requests are answered with 503. */
const WAITING = limit('forgings_waiting', 128)
export const FORGING_MS = 20_000
const IDLE_MS = 30_000
const RETRY_AFTER_S = 5

export function openForgeQueue({ clock, start = startForgeProcess }: QueueOptions): ForgeQueue {
  const waiting: (() => Promise<void>)[] = []
  let forge: ForgeProcess | undefined
  let isRunning = false
  let isStopped = false
  let cancelIdle = (): void => undefined

  async function runAll(): Promise<void> {
    if (isRunning) return
    isRunning = true
    cancelIdle()
    for (let next = waiting.shift(); next; next = waiting.shift()) await next()
    isRunning = false
    cancelIdle = clock.after(IDLE_MS, end)
  }

  async function run(read: () => Promise<ForgeJob>): Promise<ForgedFile> {
    if (isStopped) throw stopping()
    const job = await read()
    if (!forge?.isAlive()) forge = start()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const cancel = clock.after(FORGING_MS, () => {
      reject(new ForgingTooLong(`A forging took longer than ${FORGING_MS / 1_000} s.`))
      end()
    })
    return Promise.race([forge.run(job), late]).finally(cancel)
  }

  function end(): void {
    forge?.end()
    forge = undefined
  }

  return {
    forge(read) {
      if (isStopped) return Promise.reject(stopping())
      if (waiting.length >= WAITING.max) {
        WAITING.hit()
        return Promise.reject(unavailable(`${WAITING.max} files of tokens wait to be made.`))
      }
      return new Promise((resolve, reject) => {
        waiting.push(() => run(read).then(resolve, reject))
        void runAll()
      })
    },
    stop() {
      isStopped = true
      cancelIdle()
      end()
    },
  }
}

const unavailable = (message: string): Fault =>
  new Fault('unavailable', `${message} Try again in ${RETRY_AFTER_S} s.`, { retryAfterS: RETRY_AFTER_S })

const stopping = (): Fault => unavailable('The console stops.')
