// When a message that failed is tried again, and how long failures may last (behaviour 8).

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** The most that is added at random, as a share: receivers that come back are not called by everybody at once. */
const JITTER = 0.2
/** The longest `Retry-After` that is honoured. */
const LONGEST_WISH_MS = DAY

/** After so many failures of a queue's head, the next message shows whether the head alone is at fault. */
export const HEAD_ATTEMPTS = 3

/** How long nothing but failure may last: then a receiver is switched off, a message given up. */
export const PATIENCE_MS = 5 * DAY

/** Milliseconds to the next try after `attempts` failed ones; `jitter` is from 0 to 1. Never less than the receiver asked for. */
export function retryDelay(attempts: number, jitter: number, retryAfterMs = 0): number {
  const delay = STEPS[Math.min(attempts, STEPS.length) - 1] ?? DAY
  return Math.max(Math.round(delay * (1 + JITTER * jitter)), Math.min(retryAfterMs, LONGEST_WISH_MS))
}
