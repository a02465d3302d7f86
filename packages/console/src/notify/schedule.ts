// When a message that failed is tried again (behaviour 8).
import type { Random } from '@rookery/kernel/world.ts'

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
/** Added at random, so that receivers that came back are not met by everybody at once. */
const JITTER = 0.2

/** How long nothing but failure may last: then a receiver is switched off, a message given up. */
export const PATIENCE_MS = 5 * DAY

/** Milliseconds to the next try after `attempts` failed ones; a receiver's own wish is never undercut. */
export function retryDelay(attempts: number, random: Random, wishMs = 0): number {
  const step = STEPS[Math.min(attempts, STEPS.length) - 1] ?? DAY
  const [byte = 0, next = 0] = random.bytes(2)
  const jitter = step * JITTER * ((byte * 256 + next) / 65_535)
  return Math.max(Math.round(step + jitter), Math.min(wishMs, DAY))
}

/** Reads `Retry-After` (RFC 9110, 10.2.3): seconds or an HTTP date, as milliseconds from now; 0 when there is none. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now)
}
