import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventTime } from './event-time.ts'

const received = Date.parse('2026-11-20T09:39:02Z')
const HOUR = 3_600_000

describe('the time of an event', () => {
  it('is what the Bird says while its clock is right', () => {
    const batch = { wallMs: received - 500, monotonicMs: 100_000, bootId: 'a' }
    expect(eventTime({ at: received - 10_500, mono: 90_000, boot: 'a' }, batch, received)).toBe(
      received - 10_500,
    )
    expect(eventTime({ at: received - HOUR, mono: 5, boot: 'before' }, batch, received)).toBe(
      received - HOUR + 500 - 500,
    )
  })

  it('is right however wrong the wall clock is, and was', () => {
    const batch = { wallMs: received + 24 * HOUR, monotonicMs: 100_000, bootId: 'a' }
    expect(eventTime({ at: received + 24 * HOUR - 10_000, mono: 90_000, boot: 'a' }, batch, received)).toBe(
      received - 10_000,
    )
    // The clock was set right between the event and the batch: the monotonic clock knows.
    const fixed = { ...batch, wallMs: received }
    expect(eventTime({ at: 0, mono: 90_000, boot: 'a' }, fixed, received)).toBe(received - 10_000)
    expect(eventTime({ at: received + 23 * HOUR, mono: 5, boot: 'before' }, batch, received)).toBe(
      received - HOUR,
    )
  })

  it('is never later than its reception, whatever the Bird claims', () => {
    const instant = fc.integer({ min: -8.64e15, max: 8.64e15 })
    const count = fc.maxSafeNat()
    fc.assert(
      fc.property(
        instant,
        count,
        instant,
        count,
        fc.boolean(),
        (at, mono, wallMs, monotonicMs, isSameBoot) => {
          const time = eventTime(
            { at, mono, boot: 'a' },
            { wallMs, monotonicMs, bootId: isSameBoot ? 'a' : 'b' },
            received,
          )
          expect(time).toBeLessThanOrEqual(received)
          expect(time).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })
})
