import { expect, it } from 'vitest'
import type { UpdateOutcome } from '../../stores/transfers/updates.store.ts'
import { decide, HEALTHY_MS } from './decide.ts'

const ended = (state: 'applied' | 'failed', ended_at: number): UpdateOutcome => ({
  job_id: `${state} ${ended_at}`,
  node_id: 'a',
  state,
  reason: '',
  ended_at,
  live: 1,
})
const applied = (count: number, at = 0) => Array.from({ length: count }, () => ended('applied', at))
const open: UpdateOutcome = {
  job_id: 'open',
  node_id: 'b',
  state: 'sending',
  reason: '',
  ended_at: null,
  live: 1,
}
const run = (candidates: number, outcomes: UpdateOutcome[], now = HEALTHY_MS, since = 0) =>
  decide({ candidates, outcomes, since }, now)

it('begins with one Bird, goes on with a tenth of all, and then with the others', () => {
  expect(run(500, [])).toEqual({ kind: 'start', most: 1 })
  expect(run(499, applied(1))).toEqual({ kind: 'start', most: 50 })
  expect(run(449, applied(51))).toEqual({ kind: 'start', most: 449 })
  expect(run(2, applied(1))).toEqual({ kind: 'start', most: 1 })
})

it('waits for ten healthy minutes after the last Bird, and while one is being updated', () => {
  expect(run(9, applied(1, 5), HEALTHY_MS + 4)).toEqual({ kind: 'wait', until: HEALTHY_MS + 5 })
  expect(run(9, [...applied(3, 0), open])).toEqual({ kind: 'wait' })
})

it('stops at a failure, unless people let it go on afterwards', () => {
  const failed = ended('failed', 7)
  expect(run(9, [...applied(3), failed])).toEqual({ kind: 'stop', failed })
  expect(run(9, [...applied(3), open, failed])).toEqual({ kind: 'stop', failed })
  expect(run(9, [failed], HEALTHY_MS, 8)).toEqual({ kind: 'start', most: 1 })
})

it('stops when a Bird that took the release is offline ten minutes later, and forgets it after twenty', () => {
  const lost = { ...ended('applied', 5), live: 0 }
  const outcomes = [...applied(3, 5), lost]
  expect(run(9, outcomes, HEALTHY_MS + 4)).toMatchObject({ kind: 'wait' })
  expect(run(9, outcomes, HEALTHY_MS + 5)).toEqual({
    kind: 'stop',
    failed: { ...lost, reason: 'it took the release, and is offline now' },
  })
  expect(run(9, outcomes, HEALTHY_MS + 5, 6)).toEqual({ kind: 'start', most: 9 })
  expect(run(9, outcomes, HEALTHY_MS * 2 + 6)).toEqual({ kind: 'start', most: 9 })
})
