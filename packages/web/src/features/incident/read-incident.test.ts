import { expect, it } from 'vitest'
import type { Incident } from './queries.ts'
import { lastTouchAt, timesOf } from './read-incident.ts'

const incident = (times: readonly number[], updated: number): Incident =>
  ({
    created: '1000',
    events_count: String(times.length),
    events_list: times,
    updated_time: String(updated),
  }) as Partial<Incident> as Incident

it('an incident that is acknowledged hours later was not touched again then', () => {
  const acknowledged = incident([1_000_000, 1_180_500], 40_000)
  expect(lastTouchAt(acknowledged)).toBe(1180.5)
  expect(timesOf(acknowledged)).toBe(', 2 times in 3 min')
  expect(timesOf(incident([1_000_000], 40_000))).toBe('')
})
