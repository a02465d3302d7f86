// A clock whose time passes only when a test says so.
import type { Clock } from '@rookery/kernel/world.ts'

export interface ManualClock extends Clock {
  /** Moves the time forward and runs what is due, in order. */
  advance(ms: number): void
  /** Sets the wall clock forward or back, as NTP does: what waits is due as soon as before. */
  set(byMs: number): void
  /** Resolves as soon as a timer is set that is due within `ms`. */
  timerWithin(ms: number): Promise<void>
}

export function manualClock(start = Date.UTC(2026, 10, 20, 9, 39, 2)): ManualClock {
  let now = start
  const timers = new Set<{ at: number; wake: () => void }>()
  let watchers: (() => void)[] = []
  return {
    now: () => now,
    after(ms, wake) {
      const timer = { at: now + ms, wake }
      timers.add(timer)
      for (const check of watchers) check()
      return () => timers.delete(timer)
    },
    advance(ms) {
      now += ms
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at <= now && timers.delete(timer)) timer.wake()
      }
    },
    set(byMs) {
      now += byMs
      for (const timer of timers) timer.at += byMs
    },
    timerWithin: (ms) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (![...timers].some((timer) => timer.at <= now + ms)) return
          watchers = watchers.filter((other) => other !== check)
          resolve()
        }
        watchers.push(check)
        check()
      }),
  }
}
