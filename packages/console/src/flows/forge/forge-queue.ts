// The files of tokens, made one at a time in a process that is started when one is asked for, and ended after 30 s without.
// Keys take turns: many files of one of them keep another waiting for one file alone.
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { ForgedFile } from '@rookery/tokens/forge.ts'
import { startForgeProcess, type ForgeProcess } from './forge-process.ts'
import type { ForgeJob } from './messages.ts'

/** Who asks for a file. The key of a token factory lies on many machines: it gets less. */
export interface ForgeCaller {
  readonly keyId: string
  readonly isFactory: boolean
}

export interface ForgeQueue {
  /**
   * Makes a file; `read` is called when its turn comes, so that waiting jobs take no memory. Rejects with what the kind or
   * `read` threw, with `ForgeEnded`, with `ForgingTooLong` after 20 s, with `too-many` when a factory has two files waiting, and
   * with `unavailable` when too many wait in all.
   */
  forge(caller: ForgeCaller, read: () => Promise<ForgeJob>): Promise<ForgedFile>
  /** Starts the process, and loads the kind's forge: its next file is made at once. */
  warm(kind: string): void
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
/** Of one factory; its further requests are answered with 429. */
const WAITING_OF_FACTORY = limit('forgings_waiting_of_factory', 2)
/** From the moment when the process is ready. */
export const FORGING_MS = 20_000
/** Of processor time, for a file of a factory. */
export const FACTORY_WORK_MS = 5_000
/** A process that starts takes its time on a busy machine. */
const START_MS = 60_000
const IDLE_MS = 30_000
const RETRY_AFTER_S = 5

export function openForgeQueue({ clock, start = startForgeProcess }: QueueOptions): ForgeQueue {
  /** By key id, in the order of their turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>()
  let waitingCount = 0
  let forge: ForgeProcess | undefined
  let isRunning = false
  let isStopped = false
  let cancelIdle = (): void => undefined

  async function runAll(): Promise<void> {
    if (isRunning) return
    isRunning = true
    cancelIdle()
    for (let job = next(); job; job = next()) await job()
    isRunning = false
    cancelIdle = clock.after(IDLE_MS, end)
  }

  /** The first job of the key whose turn it is; the key goes behind the others. */
  function next(): (() => Promise<void>) | undefined {
    const [turn] = waiting
    if (!turn) return undefined
    const [keyId, [job, ...others]] = turn
    waiting.delete(keyId)
    if (others.length > 0) waiting.set(keyId, others)
    waitingCount--
    return job
  }

  function alive(): ForgeProcess {
    if (!forge?.isAlive()) forge = start()
    return forge
  }

  async function run({ isFactory }: ForgeCaller, read: () => Promise<ForgeJob>): Promise<ForgedFile> {
    if (isStopped) throw stopping()
    const job = await read()
    const process = alive()
    const cancelStart = clock.after(START_MS, end)
    await process.ready
    cancelStart()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const cancel = clock.after(FORGING_MS, () => {
      reject(new ForgingTooLong(`A forging took longer than ${FORGING_MS / 1_000} s.`))
      end()
    })
    const limited = isFactory ? { ...job, workMs: FACTORY_WORK_MS } : job
    return Promise.race([process.run(limited), late]).finally(cancel)
  }

  function end(): void {
    forge?.end()
    forge = undefined
  }

  /** What keeps a file of the caller from waiting its turn. */
  function refusal({ keyId, isFactory }: ForgeCaller): Fault | undefined {
    if (isStopped) return stopping()
    if (isFactory && (waiting.get(keyId)?.length ?? 0) >= WAITING_OF_FACTORY.max) {
      WAITING_OF_FACTORY.hit()
      return later('too-many', `${WAITING_OF_FACTORY.max} files of this token factory wait to be made.`)
    }
    if (waitingCount < WAITING.max) return undefined
    WAITING.hit()
    return later('unavailable', `${WAITING.max} files of tokens wait to be made.`)
  }

  return {
    forge(caller, read) {
      const refused = refusal(caller)
      if (refused) return Promise.reject(refused)
      return new Promise((resolve, reject) => {
        const jobs = waiting.get(caller.keyId) ?? []
        waiting.set(caller.keyId, [...jobs, () => run(caller, read).then(resolve, reject)])
        waitingCount++
        void runAll()
      })
    },
    warm(kind) {
      if (isStopped) return
      alive().load(kind)
      if (isRunning) return
      cancelIdle()
      cancelIdle = clock.after(IDLE_MS, end)
    },
    stop() {
      isStopped = true
      cancelIdle()
      end()
    },
  }
}

const later = (code: 'too-many' | 'unavailable', message: string): Fault =>
  new Fault(code, `${message} Try again in ${RETRY_AFTER_S} s.`, { retryAfterS: RETRY_AFTER_S })

const stopping = (): Fault => later('unavailable', 'The console stops.')
