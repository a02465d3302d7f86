import { expect, test } from 'vitest'
import { steadyTime } from './steady-time.ts'

test('it is the wall time, until the clock is set back: then it goes on from there', () => {
  const steady = steadyTime()
  expect([1_000, 1_500, 400, 900, 100, 300].map(steady)).toEqual([1_000, 1_500, 1_500, 2_000, 2_000, 2_200])
})

test('a clock that is set forward takes it along, and it stays there when that is corrected', () => {
  const steady = steadyTime()
  expect([0, 86_400_000, 10, 20].map(steady)).toEqual([0, 86_400_000, 86_400_000, 86_400_010])
})
