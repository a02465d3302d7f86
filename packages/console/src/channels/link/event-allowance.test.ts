import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import type { BirdBatch } from '../../flows/ingest/ingest-item.ts'
import { openEventAllowance } from './event-allowance.ts'
import { pacedEvents } from './paced-events.ts'

describe('the allowance of a Bird', () => {
  it('takes a second of events at once, and then so many a second', () => {
    let now = 1_000_000
    const { take } = openEventAllowance({ now: () => now }, 2_000)
    expect([1_000, 1_000, 1_000, 1_000].map((events) => take('a', events))).toEqual([0, 0, 0, 500])
    expect(take('b', 1_000)).toBe(0)
    now += 2_000
    expect([1_000, 1_000, 1_000].map((events) => take('a', events))).toEqual([0, 0, 0])
    expect(take('a', 1)).toBe(500)
  })

  it('forgets a debt when the clock is set back', () => {
    let now = 1_000_000_000
    const { take } = openEventAllowance({ now: () => now }, 10)
    take('a', 1_000)
    now -= 86_400_000
    expect(take('a', 1)).toBe(0)
  })
})

const batch = (n: number): BirdBatch => ({
  nodeId: 'a',
  spoolId: 's',
  receivedAt: 0,
  events: Array.from({ length: n }, (_, seq) => ({ seq, touch: {} as never })),
})

it('a batch that waits is not stored once the session has ended', async () => {
  const clock = manualClock()
  const stored: number[] = []
  const events = pacedEvents({
    clock,
    eventAllowance: openEventAllowance(clock, 10),
    ingest: { fromBird: ({ events: all }) => Promise.resolve(stored.push(all.length)) },
  })
  expect(await events.store(batch(30))).toBe(1)
  const waiting = events.store(batch(5))
  expect(stored).toEqual([30])
  events.end()
  expect(await waiting).toBeUndefined()
  expect(await events.store(batch(1))).toBeUndefined()
  expect(stored).toEqual([30])
})
