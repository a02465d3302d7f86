import fc from 'fast-check'
import { expect, it } from 'vitest'
import { counted, opensAt, unused } from './rate-limit.ts'

const MINUTE_MS = 60_000

it('a receiver gets at most the bound in a minute that begins with a message', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: MINUTE_MS / 2 }), { maxLength: 300 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), gaps, (perMinute, waits) => {
      let rate = unused(perMinute)
      const sent: number[] = []
      let now = 0
      for (const wait of waits) {
        now = opensAt(rate, now + wait)
        rate = counted(rate, now)
        sent.push(now)
      }
      let from = -Infinity
      let inWindow = 0
      for (const at of sent) {
        if (at >= from + MINUTE_MS) [from, inWindow] = [at, 0]
        expect(++inWindow).toBeLessThanOrEqual(perMinute)
      }
    }),
  )
})

it('a clock that is set back closes no window for longer than a minute', () => {
  const rate = counted(unused(1), 10 * MINUTE_MS)
  expect(opensAt(rate, 10 * MINUTE_MS)).toBe(11 * MINUTE_MS)
  expect(opensAt(rate, 0)).toBe(0)
})
