// The background work of one console: every loop is opened here, and seen: when it ran, how it failed, whether it is late.
import { workerLoop, type WorkerLoop, type WorkerLoopOptions } from '@rookery/kernel/worker-loop.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Task } from './task.ts'

export interface TaskStatus {
  readonly task: Task
  /** Milliseconds since the epoch, as are the others; undefined before the first run. */
  readonly lastRunAt: number | undefined
  readonly lastSuccessAt: number | undefined
  /** Empty before the first failure, and after a success. */
  readonly lastError: string
  /** Failed runs since the start. */
  readonly errors: number
  /** How long a run has been due, or has lasted, without a success. */
  readonly overdueMs: number
}

export interface Background {
  /** A loop of the task; it sleeps until its first `wake`. A task may have several, such as one for each receiver. */
  loop(task: Task, options: WorkerLoopOptions): WorkerLoop
  /** Every task that has had a loop, by name. */
  statuses(): readonly TaskStatus[]
  /** Ends the loops that nothing has ended; resolves once their present runs have ended. */
  stop(): Promise<void>
}

/** When the next success of a loop is due; undefined while nothing is. */
interface Watched {
  dueAt: number | undefined
  isRunning: boolean
}

interface Kept {
  lastRunAt: number | undefined
  lastSuccessAt: number | undefined
  lastError: string
  errors: number
  /** Loops that are not stopped. */
  readonly loops: Map<WorkerLoop, Watched>
}

const MAX_ERROR_CHARACTERS = 200

export function openBackground(clock: Pick<Clock, 'now'>): Background {
  const kept = new Map<Task, Kept>()

  function recordOf(task: Task): Kept {
    const found = kept.get(task)
    if (found) return found
    const made: Kept = {
      lastRunAt: undefined,
      lastSuccessAt: undefined,
      lastError: '',
      errors: 0,
      loops: new Map(),
    }
    kept.set(task, made)
    return made
  }

  function overdueMs({ runsLong }: Task, { loops }: Kept): number {
    const now = clock.now()
    const behind = Array.from(loops.values(), ({ dueAt = now, isRunning }) =>
      runsLong && isRunning ? 0 : now - dueAt,
    )
    return Math.max(0, ...behind)
  }

  return {
    loop(task, options) {
      const record = recordOf(task)
      const watched: Watched = { dueAt: undefined, isRunning: false }
      const loop = workerLoop({
        ...options,
        async run() {
          record.lastRunAt = clock.now()
          watched.dueAt = Math.min(watched.dueAt ?? Infinity, record.lastRunAt)
          watched.isRunning = true
          try {
            watched.dueAt = await options.run()
            record.lastSuccessAt = clock.now()
            record.lastError = ''
            return watched.dueAt
          } catch (error) {
            record.errors++
            record.lastError = String((error as Error | undefined)?.message ?? error).slice(
              0,
              MAX_ERROR_CHARACTERS,
            )
            throw error
          } finally {
            watched.isRunning = false
          }
        },
      })
      const seen: WorkerLoop = {
        ...loop,
        stop() {
          record.loops.delete(seen)
          return loop.stop()
        },
      }
      record.loops.set(seen, watched)
      return seen
    },
    statuses: () =>
      Array.from(kept, ([task, record]) => ({ task, ...record, overdueMs: overdueMs(task, record) })).sort(
        (a, b) => (a.task.name < b.task.name ? -1 : 1),
      ),
    async stop() {
      await Promise.all(
        [...kept.values()].flatMap(({ loops }) => [...loops.keys()].map((loop) => loop.stop())),
      )
    },
  }
}
