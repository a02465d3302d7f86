// When did it really happen? A Bird's wall clock may be wrong, and may have been set right in between (link/README.md).
import type { Body, SpooledEvent } from '@rookery/link/messages.ts'

/** So far a Bird's clock may be off before it is corrected. */
const TOLERANCE_MS = 2_000

/** The instant of an event of this batch, milliseconds UTC, never later than its reception. */
export function eventTime(
  { at, mono, boot }: Pick<SpooledEvent, 'at' | 'mono' | 'boot'>,
  batch: Pick<Body<'EVENT_BATCH'>, 'wallMs' | 'monotonicMs' | 'bootId'>,
  receivedAt: number,
): number {
  // Within one boot the monotonic clock tells the age of the event, whatever the wall clock did.
  const told =
    boot === batch.bootId ? receivedAt - (batch.monotonicMs - mono) : at + (receivedAt - batch.wallMs)
  const instant = Math.abs(told - at) <= TOLERANCE_MS ? at : told
  return Math.max(0, Math.min(instant, receivedAt))
}
