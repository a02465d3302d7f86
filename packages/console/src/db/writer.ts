// Group commit: what arrives while one transaction is being written goes into the next, with one fsync for all.
import { batcher } from '@rookery/kernel/batcher.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Engine, FailureKind, Work } from './engine.ts'
import { nextImmediate } from './next-immediate.ts'
import { LOG_SAYS_WHY, refusalIn } from './postgres/errors.ts'
import type { Tx } from './query.ts'
import type { Reserve } from './reserve.ts'

export interface Writer {
  /**
   * Runs `work` inside the next transaction; resolves after the commit, rejects with what `work` threw. `audit` answers
   * the rows of the audit trail for its outcome; they are part of the same transaction.
   */
  write<T>(
    work: (tx: Tx) => Promise<T>,
    kind?: Work,
    audit?: (outcome: T) => readonly AuditEntry[],
  ): Promise<T>
  /** For how long something has waited to be committed; 0 while nothing waits. */
  uncommittedMs(): number
  sinceCommitMs(): number
  /** Resolves once nothing is being written or waits. */
  idle(): Promise<void>
  /** Refuses new work, finishes what waits. */
  close(): Promise<void>
}

interface Job {
  readonly kind: Work
  /** Answers the rows of the audit trail that it makes. */
  readonly run: (tx: Tx) => Promise<readonly AuditEntry[]>
}

/** Called after the commit: nothing for a job that succeeded, a rejection for one that failed alone. */
type Settle = () => Promise<never> | undefined

const JOBS_PER_TRANSACTION = 256
const MAX_ATTEMPTS = 5

/** Writes rows of the audit trail behind the last one. */
export type AppendAudit = (tx: Tx, entries: readonly AuditEntry[]) => Promise<void>

/** `onConfigChanged` is called after a commit that changed configuration, before its callers go on. */
export function openWriter(
  engine: Engine,
  reserve: Reserve,
  appendAudit: AppendAudit,
  onConfigChanged: () => void,
): Writer {
  let isClosed = false
  let committedAtMs = performance.now()
  /** When the oldest job came that no commit has followed; set until the next commit, also when the job has failed. */
  let waitingSinceMs: number | undefined
  const jobs = batcher<Job, void>({ max: JOBS_PER_TRANSACTION, gather, flush: commit })

  /**
   * The transaction blocks the thread: first read everything that has arrived, so that it shares the commit. Ingest has done so
   * before it comes: under load, each turn of the event loop would delay its answers by all other requests.
   */
  function gather(waiting: readonly Job[]): Promise<void> | undefined {
    return waiting.every(({ kind }) => kind === 'ingest') ? undefined : nextImmediate()
  }

  async function commit(batch: readonly Job[]): Promise<ReturnType<Settle>[]> {
    for (let attempt = 1; ; attempt++) {
      let settles: readonly Settle[] = []
      let configChanged = false
      try {
        await engine.ready()
        await engine.transaction(async (tx) => {
          const configTx = { ...tx, configChanged: () => ((configChanged = true), tx.configChanged()) }
          settles = await runAll(batch, configTx)
        })
        committedAtMs = performance.now()
        waitingSinceMs = jobs.waiting() > 0 ? committedAtMs : undefined
        if (configChanged) onConfigChanged()
        return settles.map((settle) => settle())
      } catch (error) {
        // A cache may hold what the failed transaction was about to change.
        if (configChanged) onConfigChanged()
        if (engine.retryable(error) && attempt < MAX_ATTEMPTS) continue
        const meaning = engine.diagnose(error)
        if (meaning === 'full' && (await reserve.release())) continue
        throw meaning === 'other' ? error : outageFault(meaning, engine.place, error)
      }
    }
  }

  async function runAll(batch: readonly Job[], tx: Tx): Promise<Settle[]> {
    const isAlone = batch.length === 1
    const settles: Settle[] = []
    // Appended at the end, once for all jobs that succeeded: the chain must not contain a row that was rolled back.
    const audit: AuditEntry[] = []
    for (const job of batch) {
      if (job.kind === 'ingest' && reserve.released()) {
        settles.push(() => Promise.reject(outageFault('full', engine.place)))
        continue
      }
      // A savepoint, so that the failure of one job does not roll the others back.
      if (!isAlone) await tx.rows('SAVEPOINT job', [])
      try {
        const entries = await job.run(tx)
        if (!isAlone) await tx.rows('RELEASE SAVEPOINT job', [])
        audit.push(...entries)
        settles.push(() => undefined)
      } catch (error) {
        if (isAlone || engine.diagnose(error) !== 'other' || engine.retryable(error)) throw error
        await tx.rows('ROLLBACK TO SAVEPOINT job', [])
        settles.push(() => Promise.reject(error as Error))
      }
    }
    if (audit.length > 0) await appendAudit(tx, audit)
    return settles
  }

  return {
    async write<T>(
      work: (tx: Tx) => Promise<T>,
      kind: Work = 'care',
      audit?: (outcome: T) => readonly AuditEntry[],
    ) {
      if (isClosed) throw new Fault('unavailable', 'The console is stopping.')
      let outcome!: T
      const run = async (tx: Tx): Promise<readonly AuditEntry[]> => {
        outcome = await work(tx)
        return audit?.(outcome) ?? []
      }
      waitingSinceMs ??= performance.now()
      await jobs.add({ kind, run })
      return outcome
    },
    uncommittedMs: () => (waitingSinceMs === undefined ? 0 : performance.now() - waitingSinceMs),
    sinceCommitMs: () => performance.now() - committedAtMs,
    idle: jobs.idle,
    close() {
      isClosed = true
      return jobs.idle()
    },
  }
}

/** The fault for callers while the database cannot be written. What a server said that refuses the console is in the log alone, as its cause. */
export function outageFault(meaning: Exclude<FailureKind, 'other'>, place: string, cause?: unknown): Fault {
  const message = {
    full: `The disk is full: ${place} cannot grow. Free some space; the console then continues by itself.`,
    away:
      refusalIn(cause) === undefined
        ? `The database does not answer: ${place}.`
        : `The database refuses the console: ${place}.${LOG_SAYS_WHY}`,
    damaged: `The database is damaged: part of ${place} cannot be read. Run \`rookery doctor\`, and restore a backup.`,
  }[meaning]
  return new Fault('unavailable', message, { cause, retryAfterS: 5 })
}
