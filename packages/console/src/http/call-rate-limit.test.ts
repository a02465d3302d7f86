import { expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { openTestConsole } from '../../test/test-console.ts'
import { openCallRateLimit } from './call-rate-limit.ts'

/** How many of so many calls are served. */
function served(call: (keyId: string) => void, keyId: string, calls: number): number {
  let count = 0
  for (let n = 0; n < calls; n++) {
    try {
      call(keyId)
      count++
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-many', retryAfterS: 1 })
      expect(error).toBeInstanceOf(Fault)
    }
  }
  return count
}

it('a key may call 100 times a second after a burst of 500; another key is not held back', () => {
  const clock = manualClock()
  const call = openCallRateLimit(clock, { callsPerSecond: 100, callsBurst: 500 })
  expect(served(call, 'a', 600)).toBe(500)
  expect(served(call, 'b', 10)).toBe(10)
  clock.advance(1_000)
  expect(served(call, 'a', 600)).toBe(100)
  clock.advance(60_000)
  expect(served(call, 'a', 600)).toBe(500)
})

it('a clock that is set back locks no key out', () => {
  let now = 1_000_000_000
  const clock = { now: () => now, after: () => () => undefined }
  const call = openCallRateLimit(clock, { callsPerSecond: 10, callsBurst: 20 })
  expect(served(call, 'a', 30)).toBe(20)
  now -= 3_600_000
  expect(served(call, 'a', 30)).toBe(20)
  now += 2_000
  expect(served(call, 'a', 30)).toBe(20)
})

it('a call too many is answered with 429 and the time to wait', async () => {
  const env = { ROOKERY_CALLS_PER_SECOND: '1', ROOKERY_CALLS_BURST: '3' }
  const rookery = await openTestConsole({ env, world: { clock: manualClock() } })
  for (let n = 0; n < 3; n++) expect((await rookery.get('/ping')).status).toBe(200)
  const late = await rookery.get('/ping')
  expect([late.status, late.json['error'], late.headers.get('retry-after')]).toEqual([429, 'too-many', '1'])
})
