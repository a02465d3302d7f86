// When a message that failed is tried again, and how long failures may last.

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
/** How long nothing but failure may last: then a receiver is switched off, a message given up. */
export const PATIENCE_MS = 5 * DAY
/** The most that is added at random, as a share: receivers that come back are not called by everybody at once. */
const JITTER = 0.2
/** The longest `Retry-After` that is honoured. */
const MAX_WISH_MS = DAY

/** After so many failures of a queue's head, the next message shows whether the head alone is at fault. */
export const HEAD_ATTEMPTS = 3

/** No message is to wait longer for its next try. */
const MAX_DELAY_MS = DAY * (1 + JITTER)
/** A try that comes later than this was not made in time: the console was off, or its clock was set. */
const MISSED_MS = HOUR

/** When the message is tried: a time that is too far ahead was set by a clock that was wrong. */
export const dueAt = (nextAt: number, now: number): number => (nextAt > now + MAX_DELAY_MS ? now : nextAt)

/** Since when every message has failed, without the time in which the one that is tried now was not tried. */
export function failingFor(since: number | null, nextAt: number, now: number): number {
  const late = now - nextAt
  return Math.min(now, since === null ? now : since + (late > MISSED_MS ? late : 0))
}

/** Whether a message is given up that has failed so often since then. */
export const isGivenUp = (createdAt: number, attempts: number, now: number): boolean =>
  now - createdAt > PATIENCE_MS && attempts >= STEPS.length

/** Milliseconds to the next try after `attempts` failed ones; `jitter` is from 0 to 1. Never less than the receiver asked for. */
export function retryDelay(attempts: number, jitter: number, retryAfterMs = 0): number {
  const delay = STEPS[Math.min(attempts, STEPS.length) - 1] ?? DAY
  return Math.max(Math.round(delay * (1 + JITTER * jitter)), Math.min(retryAfterMs, MAX_WISH_MS))
}
