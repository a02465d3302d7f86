// A clock that a test turns by hand: a day passes in the time that the work of a day takes.
import type { Clock } from '@rookery/kernel/world.ts'

export interface ManualClock extends Clock {
  /** Moves on by so much; whatever falls due is called, in its order, at its own time. */
  advance(ms: number): void
  /** Moves on by so much as over the sleep of a machine: what fell due meanwhile is called once, when it wakes. */
  leap(ms: number): void
}

export function manualClock(start = Date.UTC(2026, 10, 21, 6, 0, 0)): ManualClock {
  let now = start
  let timers: { at: number; wake: () => void }[] = []
  function callDue(end: number): void {
    for (;;) {
      const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      timers = timers.filter((it) => it !== next)
      now = Math.max(now, next.at)
      next.wake()
    }
  }
  return {
    now: () => now,
    after(ms, wake) {
      const timer = { at: now + Math.max(0, ms), wake }
      timers.push(timer)
      return () => {
        timers = timers.filter((it) => it !== timer)
      }
    },
    advance(ms) {
      const end = now + ms
      callDue(end)
      now = end
    },
    leap(ms) {
      now += ms
      callDue(now)
    },
  }
}
