import { describe, expect, it } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { databaseClock } from './database-clock.ts'

const START = 1_000_000
const AHEAD_MS = 200_000

describe('the time of the database', () => {
  it('is known to half of a round trip, however wrong the process’s clock is', () => {
    const own = manualClock(START + AHEAD_MS)
    const clock = databaseClock(own)
    clock.observe(START - 5, 10)
    expect(clock.now()).toBe(START)
    own.advance(60_000)
    expect(clock.now()).toBe(START + 60_000)
  })

  it('is the process’s own while the two may be equal', () => {
    const clock = databaseClock(manualClock(START))
    for (const [databaseMs, roundTripMs] of [
      [START - 40, 40],
      [START, 30],
      [START - 1, 0],
    ] as const)
      clock.observe(databaseMs, roundTripMs)
    expect(clock.offsetMs()).toBe(0)
  })

  it('follows the shortest round trip of the last ten', () => {
    const own = manualClock(START)
    const clock = databaseClock(own)
    clock.observe(START + AHEAD_MS - 1_000, 4_000)
    expect(clock.offsetMs()).toBe(AHEAD_MS + 1_000)
    clock.observe(START + AHEAD_MS, 0)
    expect(clock.offsetMs()).toBe(AHEAD_MS)
    for (let n = 0; n < 5; n++) clock.observe(START + AHEAD_MS - 1_000, 4_000)
    expect(clock.offsetMs()).toBe(AHEAD_MS)
  })

  it('is right again at the first answer after a clock was set', () => {
    const own = manualClock(START)
    const clock = databaseClock(own)
    for (let n = 0; n < 10; n++) clock.observe(START, 1)
    own.advance(AHEAD_MS)
    clock.observe(START + 100, 50)
    expect(Math.abs(clock.now() - (START + 100))).toBeLessThanOrEqual(26)
  })
})
