// The group-commit writer: all that arrives while one transaction is being written goes into the next, one fsync for all.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Engine, Meaning, Work } from './engine.ts'
import type { TrailEntry } from '../stores/audit/chain.ts'
import type { Tx } from './query.ts'
import type { Reserve } from './reserve.ts'

export interface Writer {
  /**
   * Runs `work` inside the next transaction; resolves after the commit, rejects with what `work` threw. `trail` says
   * which rows of the audit trail its outcome makes; they are part of the same transaction.
   */
  write<T>(
    work: (tx: Tx) => Promise<T>,
    kind?: Work,
    trail?: (outcome: T) => readonly TrailEntry[],
  ): Promise<T>
  /** Resolves once nothing is being written or waits. */
  idle(): Promise<void>
  /** Refuses new work, finishes what waits. */
  close(): Promise<void>
}

interface Job {
  readonly work: (tx: Tx) => Promise<unknown>
  readonly kind: Work
  readonly trail: ((outcome: never) => readonly TrailEntry[]) | undefined
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
}

const JOBS_PER_TRANSACTION = 256
const TRIES = 5

/** Writes rows of the audit trail behind the last one. */
export type KeepTrail = (tx: Tx, entries: readonly TrailEntry[]) => Promise<void>

/** `onConfigChanged` is called after a commit that changed configuration, before its callers go on. */
export function openWriter(
  engine: Engine,
  reserve: Reserve,
  keepTrail: KeepTrail,
  onConfigChanged: () => void,
): Writer {
  let queue: Job[] = []
  let running: Promise<void> | undefined
  let closed = false

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // The transaction blocks the thread: first let everything that has arrived be read, so that it shares the commit.
      await arrivals()
      const jobs = queue.slice(0, JOBS_PER_TRANSACTION)
      queue = queue.slice(JOBS_PER_TRANSACTION)
      await commit(jobs)
    }
    running = undefined
  }

  async function commit(jobs: readonly Job[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      const outcomes: (() => void)[] = []
      let configChanged = false
      try {
        await engine.ready()
        await engine.transaction((tx) =>
          runAll(
            jobs,
            { ...tx, configChanged: () => ((configChanged = true), tx.configChanged()) },
            outcomes,
          ),
        )
        if (configChanged) onConfigChanged()
        for (const settle of outcomes) settle()
        return
      } catch (error) {
        // Somebody may have remembered what was about to be.
        if (configChanged) onConfigChanged()
        if (engine.retryable(error) && tries < TRIES) continue
        const meaning = engine.diagnose(error)
        if (meaning === 'full' && (await reserve.release())) continue
        const failure = meaning === 'other' ? error : unavailable(meaning, engine.place, error)
        for (const job of jobs) job.reject(failure)
        return
      }
    }
  }

  async function runAll(jobs: readonly Job[], tx: Tx, outcomes: (() => void)[]): Promise<void> {
    const alone = jobs.length === 1
    // Only of jobs that stay: the chain is made at the end, once for all of them, and knows nothing of a savepoint.
    const trail: TrailEntry[] = []
    for (const job of jobs) {
      if (job.kind === 'ingest' && reserve.released()) {
        outcomes.push(() => job.reject(unavailable('full', engine.place)))
        continue
      }
      // One job's failure must not take the others with it.
      if (!alone) await tx.rows('SAVEPOINT job', [])
      try {
        const value = await job.work(tx)
        const entries = job.trail?.(value as never) ?? []
        if (!alone) await tx.rows('RELEASE SAVEPOINT job', [])
        trail.push(...entries)
        outcomes.push(() => job.resolve(value as never))
      } catch (error) {
        if (alone || engine.diagnose(error) !== 'other' || engine.retryable(error)) throw error
        await tx.rows('ROLLBACK TO SAVEPOINT job', [])
        outcomes.push(() => job.reject(error))
      }
    }
    if (trail.length > 0) await keepTrail(tx, trail)
  }

  return {
    write<T>(
      work: (tx: Tx) => Promise<T>,
      kind: Work = 'care',
      trail?: (outcome: T) => readonly TrailEntry[],
    ) {
      if (closed) return Promise.reject(new Fault('unavailable', 'The console is stopping.'))
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, kind, trail, resolve, reject })
        running ??= Promise.resolve().then(drain)
      })
    },
    async idle() {
      while (running) await running
    },
    async close() {
      closed = true
      while (running) await running
    },
  }
}

const arrivals = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The fault that callers see while the database cannot be written. */
export function unavailable(meaning: Exclude<Meaning, 'other'>, place: string, cause?: unknown): Fault {
  const message = {
    full: `The disk is full: ${place} cannot grow. Free some space; the console goes on by itself.`,
    away: `The database is away: ${place} does not answer.`,
    damaged: `The database is damaged: ${place} cannot be read. \`rookery doctor\` says more; restore a backup.`,
  }[meaning]
  return new Fault('unavailable', message, { cause, retryAfterS: 5 })
}
