import { expect, it } from 'vitest'
import { renewalAt, retryDelay, soonMs } from './renewal-times.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const life = (ms: number, lastByte: number) => ({
  validFromDate: new Date(0),
  validToDate: new Date(ms),
  raw: Buffer.from([0, lastByte]),
})

it('a certificate is renewed behind two thirds of its life, each at its own time', () => {
  expect(renewalAt(life(90 * DAY_MS, 0))).toBe(60 * DAY_MS)
  expect(renewalAt(life(90 * DAY_MS, 255)) / DAY_MS).toBeCloseTo(61.49, 2)
  expect(renewalAt(life(6 * DAY_MS, 128)) / DAY_MS).toBeCloseTo(4.05, 2)
})

it('an operator knows two weeks before its end, and of a short life within its last sixth', () => {
  expect(soonMs(life(90 * DAY_MS, 0))).toBe(14 * DAY_MS)
  expect(soonMs(life(6 * DAY_MS, 0))).toBe(DAY_MS)
  expect(soonMs(life(12 * HOUR_MS, 0))).toBe(2 * HOUR_MS)
})

it('an order that failed is tried again later and later, never before the server wants it', () => {
  const minutes = (failures: number, jitter = 0) => retryDelay(failures, jitter) / 60_000
  expect([1, 2, 3, 7, 8, 1_000].map((failures) => minutes(failures))).toEqual([5, 10, 20, 320, 360, 360])
  expect(minutes(1, 1)).toBe(6)
  expect(retryDelay(1, 0, HOUR_MS)).toBe(HOUR_MS)
  expect(retryDelay(20, 0, HOUR_MS)).toBe(6 * HOUR_MS)
  expect(retryDelay(1, 0, 365 * DAY_MS)).toBe(7 * DAY_MS)
})
