// A background worker: runs when it is woken or its time has come, one run at a time, and retries after a failure.
import type { Clock } from './world.ts'

export interface WorkerLoopOptions {
  readonly clock: Clock
  /** Answers when it wants to run next, in milliseconds since the epoch; undefined waits for `wake`. */
  readonly run: () => Promise<number | undefined>
  /** Answers after how many milliseconds a failed run is tried again. */
  readonly onError: (error: unknown) => number
}

/** Sleeps until the first `wake`. */
export function workerLoop({ clock, run, onError }: WorkerLoopOptions) {
  let running: Promise<void> | undefined
  let isWoken = false
  let isStopped = false
  let cancelTimer = (): void => undefined

  async function runUntilDone(): Promise<void> {
    let next: number | undefined
    do {
      isWoken = false
      next = await run().catch((error: unknown) => clock.now() + onError(error))
    } while (isWoken && !isStopped)
    running = undefined
    if (next !== undefined && !isStopped) cancelTimer = clock.after(Math.max(0, next - clock.now()), wake)
  }

  function wake(): void {
    if (isStopped) return
    isWoken = true
    if (running) return
    cancelTimer()
    running = runUntilDone()
  }

  async function idle(): Promise<void> {
    while (running) await running
  }

  return {
    /** Runs now, or once more after the present run. */
    wake,
    /** Resolves once nothing runs. */
    idle,
    /** Starts no further run; resolves once the present one has ended. */
    stop(): Promise<void> {
      isStopped = true
      cancelTimer()
      return idle()
    },
  }
}

export type WorkerLoop = ReturnType<typeof workerLoop>
