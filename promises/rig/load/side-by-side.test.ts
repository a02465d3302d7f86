import { expect, it } from 'vitest'
import { loadOf } from './load.ts'
import { rateRows, sideBySide } from './side-by-side.ts'

/** So many hits in a second. */
const load = (hits: number) =>
  loadOf(
    Array.from({ length: hits }, () => 1),
    { forMs: 1_000, bytes: 0, broken: 0 },
  )

it('the ratio that decides is that of the rounds, and stands in a row of its own', async () => {
  const warming = [1, 1, 1]
  const speeds = {
    ours: [...warming, 10, 10, 10, 10, 10, 90, 90, 90, 90],
    theirs: [...warming, 10, 10, 10, 20, 20, 90, 90, 90, 90],
  }
  const next = (of: number[]) => () => Promise.resolve(load(of.shift() ?? 0))
  const pair = await sideBySide(next(speeds.ours), next(speeds.theirs))
  const [rates, ratio] = rateRows('logins', 0.8, pair)
  // Half of theirs in the middle, and yet as fast in most rounds.
  expect(rates).toMatchObject({ measured: 10, reference: 20, isKept: true })
  expect(ratio).toMatchObject({ measured: 1, promise: '≥ 0.8 ×', isKept: true })
  expect(rateRows('logins', 1.1, pair).map(({ isKept }) => isKept)).toEqual([false, false])
})
