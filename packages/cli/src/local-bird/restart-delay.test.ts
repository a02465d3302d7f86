import { expect, it } from 'vitest'
import { restartDelay } from './restart-delay.ts'

it('grows from a second to a minute, and begins anew after a minute that went well', () => {
  const delays: number[] = []
  for (let delay = 0; delays.length < 8;) delays.push((delay = restartDelay(delay, 10)))
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  expect(restartDelay(60_000, 60_000)).toBe(1_000)
})
