// How many messages a receiver gets in a minute; the rest is folded into a digest. Fixed windows, as values: the queue's
// state holds one.
import { limit } from '@rookery/kernel/limit.ts'

/** Messages to one receiver; those that wait at the end of the minute become one digest. */
export const ALERTS_PER_MINUTE = limit('alerts_per_minute', 60)

const MINUTE_MS = 60_000

export interface RateLimit {
  readonly perMinute: number
  /** When the window ends that the last message was counted in. */
  readonly endsAt: number
  readonly sent: number
}

export const unused = (perMinute: number): RateLimit => ({ perMinute, endsAt: -Infinity, sent: 0 })

/** A window that ends later than any can was opened before the clock was set back: it has ended. */
const isOver = ({ endsAt }: RateLimit, now: number): boolean => endsAt <= now || endsAt > now + MINUTE_MS

/** From when on a message may go out; `now` when it may. */
export const opensAt = (rate: RateLimit, now: number): number =>
  isOver(rate, now) || rate.sent < rate.perMinute ? now : rate.endsAt

/** Counts a message that is sent now. */
export const counted = (rate: RateLimit, now: number): RateLimit =>
  isOver(rate, now) ? { ...rate, endsAt: now + MINUTE_MS, sent: 1 } : { ...rate, sent: rate.sent + 1 }
