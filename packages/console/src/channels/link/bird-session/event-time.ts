// The instant of an event: a Bird's wall clock may be wrong, and may have been corrected since (link/README.md).
import type { Body, SpooledEvent } from '@rookery/link/messages.ts'

/** A Bird's clock may differ by this much before it is corrected. */
const TOLERANCE_MS = 2_000

/** The instant of an event of this batch, milliseconds UTC, never later than its reception. */
export function eventTime(
  { at, mono, boot }: Pick<SpooledEvent, 'at' | 'mono' | 'boot'>,
  batch: Pick<Body<'EVENT_BATCH'>, 'wallMs' | 'monotonicMs' | 'bootId'>,
  receivedAt: number,
): number {
  // Within one boot the monotonic clock tells the age of the event, whatever the wall clock did.
  const corrected =
    boot === batch.bootId ? receivedAt - (batch.monotonicMs - mono) : at + (receivedAt - batch.wallMs)
  const instant = Math.abs(corrected - at) <= TOLERANCE_MS ? at : corrected
  return Math.max(0, Math.min(instant, receivedAt))
}
