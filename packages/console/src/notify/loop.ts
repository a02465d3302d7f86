// Work that goes on until it has nothing to do, then sleeps until it is woken or its time has come.
import type { Clock } from '@rookery/kernel/world.ts'

export interface Loop {
  /** Runs now, or once more when it is running. */
  wake(): void
  /** Resolves once it sleeps. */
  idle(): Promise<void>
  /** Never runs again; what is running goes on to its end. */
  stop(): void
}

/** `run` answers when it wants to run next, in milliseconds since the epoch; undefined waits for a wake. */
export function openLoop(
  clock: Clock,
  run: () => Promise<number | undefined>,
  onError: (error: unknown) => number,
): Loop {
  let running: Promise<void> | undefined
  let again = false
  let stopped = false
  let cancel = (): void => undefined

  async function work(): Promise<void> {
    let next: number | undefined
    do {
      again = false
      next = await run().catch((error: unknown) => clock.now() + onError(error))
    } while (again && !stopped)
    running = undefined
    if (next !== undefined && !stopped) cancel = clock.after(Math.max(0, next - clock.now()), wake)
  }
  function wake(): void {
    if (stopped) return
    again = true
    if (running) return
    cancel()
    running = work()
  }
  return {
    wake,
    async idle() {
      while (running) await running
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}
