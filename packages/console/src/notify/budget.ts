// How many messages a receiver takes in a minute; what exceeds it is told in a digest.

export interface Budget {
  /** Counts a message that is sent now. */
  spend(now: number): void
  /** From when on there is room; `now` when there is. */
  opensAt(now: number): number
}

const MINUTE_MS = 60_000

export function openBudget(perMinute: number): Budget {
  let began = -Infinity
  let sent = 0
  return {
    spend(now) {
      if (now - began >= MINUTE_MS) {
        began = now
        sent = 0
      }
      sent++
    },
    opensAt: (now) => (now - began >= MINUTE_MS || sent < perMinute ? now : began + MINUTE_MS),
  }
}
