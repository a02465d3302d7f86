// Time in the test's hands: it stands still until it is moved, and then passes in the order of what was to happen.
import type { Clock } from '@rookery/kernel/world.ts'

export interface ManualClock extends Clock {
  /** Lets so much time pass; between two alarms the event loop gets to run. */
  pass(ms: number): Promise<void>
}

export function manualClock(start = Date.parse('2026-11-20T09:39:02Z')): ManualClock {
  let now = start
  const alarms = new Set<{ at: number; wake: () => void }>()
  return {
    now: () => now,
    after(ms, wake) {
      const alarm = { at: now + ms, wake }
      alarms.add(alarm)
      return () => alarms.delete(alarm)
    },
    async pass(ms) {
      const end = now + ms
      for (;;) {
        const due = [...alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        now = Math.max(now, due.at)
        alarms.delete(due)
        due.wake()
        // What was woken may take a few turns (a query, a commit) before it sets its next alarm.
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
      }
      now = end
    },
  }
}
