// A database that keeps its connections and answers nothing: once that is known, calls need not find it out one by one.
import type { Fault } from '@rookery/kernel/fault.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Engine } from './engine.ts'
import type { Readiness } from './readiness.ts'
import { outageFault } from './writer.ts'

export interface Availability {
  /**
   * Runs a call of the API. Where the database is known to be silent, it fails with `unavailable`: at once, or, if it waits
   * already, within ten seconds; one that reads for long is let finish.
   */
  guard<T>(call: () => Promise<T>, readsLong: boolean): Promise<T>
}

/** A call that waits so long has the database looked at. */
const LOOK_MS = 1_000
/** The same, until it is given up. */
const WAITS_LOOKS = 3

interface Waiter {
  looks: number
  readonly fail: (fault: Fault) => void
}

export function openAvailability(
  { name, place }: Pick<Engine, 'name' | 'place'>,
  readiness: Pick<Readiness, 'isSilent' | 'ask'>,
  clock: Pick<Clock, 'after'>,
): Availability {
  const waiting = new Set<Waiter>()
  let isLooking = false
  const silent = (): Fault => outageFault('away', place)

  /** Looks on while the database is silent, or a call waits. */
  function look(): void {
    if (isLooking) return
    isLooking = true
    clock.after(LOOK_MS, () => {
      void readiness.ask().then(() => {
        isLooking = false
        if (readiness.isSilent())
          for (const call of waiting) if (++call.looks >= WAITS_LOOKS) call.fail(silent())
        if (readiness.isSilent() || waiting.size > 0) look()
      })
    })
  }

  return {
    guard(call, readsLong) {
      // SQLite answers, or fails at once.
      if (name === 'sqlite') return call()
      look()
      if (readiness.isSilent()) return Promise.reject(silent())
      if (readsLong) return call()
      const { promise, reject } = Promise.withResolvers<never>()
      const one: Waiter = { looks: 0, fail: reject }
      waiting.add(one)
      return Promise.race([call(), promise]).finally(() => waiting.delete(one))
    },
  }
}
