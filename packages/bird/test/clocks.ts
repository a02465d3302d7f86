// Clocks for tests, which the test sets forward.
import { systemClock, type BirdClock } from '../src/world.ts'

interface Timer {
  readonly at: number
  readonly wake: () => void
}

/** The earliest timer that is due at `end`. */
const nextDue = (timers: ReadonlySet<Timer>, end: number): Timer | undefined =>
  [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]

/** A clock that moves only in `pass`. */
export function manualClock(): BirdClock & { pass(ms: number): void } {
  const timers = new Set<Timer>()
  let now = 0
  return {
    now: () => now,
    monotonicMs: () => now,
    after(ms, wake) {
      const timer = { at: now + ms, wake }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    pass(ms) {
      const end = now + ms
      for (let due = nextDue(timers, end); due; due = nextDue(timers, end)) {
        timers.delete(due)
        now = due.at
        due.wake()
      }
      now = end
    },
  }
}

/** The system's clock, which `skip` sets forward: every timer that becomes due is called, in order. */
export function skippingClock(): BirdClock & { skip(ms: number): void } {
  const timers = new Set<Timer>()
  let skippedMs = 0
  const monotonicMs = (): number => systemClock.monotonicMs() + skippedMs
  return {
    now: () => Math.floor(systemClock.now() + skippedMs),
    monotonicMs,
    after(ms, wake) {
      const fire = (): void => {
        if (!timers.delete(timer)) return
        cancel()
        wake()
      }
      const timer = { at: monotonicMs() + ms, wake: fire }
      const cancel = systemClock.after(ms, fire)
      timers.add(timer)
      return () => {
        timers.delete(timer)
        cancel()
      }
    },
    skip(ms) {
      const end = monotonicMs() + ms
      for (let due = nextDue(timers, end); due; due = nextDue(timers, end)) {
        skippedMs += Math.max(0, due.at - monotonicMs())
        due.wake()
      }
      skippedMs += Math.max(0, end - monotonicMs())
    },
  }
}
