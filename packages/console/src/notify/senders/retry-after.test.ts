import { expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

it('Retry-After is read as seconds or as a date; anything else is no wish', () => {
  const now = Date.UTC(2026, 10, 21, 6)
  expect(retryAfterMs('120', now)).toBe(120_000)
  expect(retryAfterMs('Sat, 21 Nov 2026 06:00:30 GMT', now)).toBe(30_000)
  expect(retryAfterMs('Sat, 21 Nov 2026 05:00:00 GMT', now)).toBe(0)
  for (const wrong of [undefined, '', '-5', 'soon', '1e99']) expect(retryAfterMs(wrong, now)).toBe(0)
})
