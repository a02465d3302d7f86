import fc from 'fast-check'
import { expect, it } from 'vitest'
import { retryDelay } from './retry-policy.ts'

const S = 1_000
const M = 60 * S
const H = 60 * M
const DAY = 24 * H
const STEPS = [5 * S, 5 * M, 30 * M, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H]

it('a retry waits as the table says, with up to a fifth more, and a day once the table has ended', () => {
  const jitters = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), jitters, (attempts, jitter) => {
      const step = STEPS[attempts - 1] ?? DAY
      expect(retryDelay(attempts, 0)).toBe(step)
      expect(retryDelay(attempts, jitter)).toBeGreaterThanOrEqual(step)
      expect(retryDelay(attempts, jitter)).toBeLessThanOrEqual(step * 1.2)
    }),
  )
})

it('a retry is never earlier than Retry-After asks, up to a day', () => {
  expect(retryDelay(1, 1, 90 * S)).toBe(90 * S)
  expect(retryDelay(2, 0, 90 * S)).toBe(5 * M)
  expect(retryDelay(1, 0, 30 * DAY)).toBe(DAY)
})
