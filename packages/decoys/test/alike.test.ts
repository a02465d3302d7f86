import { expect, test } from 'vitest'
import { explains, shown } from './alike.ts'
import type { Observation } from './observe.ts'

const after = (...delays: number[]): Observation[] =>
  delays.map((delayMs) => ({ text: 'no', close: 'open', delayMs }))
const isAlike = (real: number[], ours: number[], machineFactor?: number): boolean =>
  explains({ real: after(...real), ours: after(...ours) }, machineFactor)

test('no delay and a third of a second are two things, no delay and some milliseconds one', () => {
  expect(isAlike([2], [330])).toBe(false)
  expect(isAlike([900], [20])).toBe(false)
  expect(isAlike([2], [45])).toBe(true)
  expect(isAlike([45], [60])).toBe(true)
})

test('delays are compared to the second', () => {
  expect(isAlike([2_000], [2_900])).toBe(true)
  expect(isAlike([2_000], [3_100])).toBe(false)
})

test('of several answers the median counts: one that a busy machine holds up is no difference', () => {
  expect(isAlike([1, 1, 1, 1, 1], [2, 300, 2, 2, 2])).toBe(true)
  expect(isAlike([1, 1, 1, 1, 1], [300, 2, 300, 300, 2])).toBe(false)
})

test('where chance decides the delay of the real server, ours lies within it, and varies, too', () => {
  const pam = [1_900, 2_400, 2_900, 3_300, 4_100]
  expect(isAlike(pam, [2_100, 3_900, 3_950, 4_000, 4_200])).toBe(true)
  expect(isAlike(pam, [5_200, 5_300, 5_400, 5_900, 6_000])).toBe(false)
  expect(isAlike(pam, [2_900, 2_900, 2_905, 2_910, 2_910])).toBe(false)
})

test('where each machine has delays of its own, one is its factor times the other at most', () => {
  const others = [3_100, 3_105, 3_110, 3_115, 3_120]
  expect(isAlike(others, [2_000, 2_005, 2_010, 2_015, 3_900], 2.1)).toBe(true)
  expect(isAlike([2_100, 2_100, 2_105, 4_100, 4_100], others, 2.1)).toBe(true)
  expect(isAlike(others, [900, 905, 910, 920, 925], 2.1)).toBe(false)
  expect(isAlike(others, [1, 1, 2, 2, 3], 2.1)).toBe(false)
})

test('a report shows the least and the most delay, and how often each answer came', () => {
  expect(shown(after(1, 2_000, 3_000))).toBe('"no" open after 2.0 s (no time to 3.0 s)')
  expect(shown([...after(1), ...after(1), { text: 'bye', close: 'FIN', delayMs: 120 }])).toBe(
    '2 × "no" open after no time, 1 × "bye" FIN after 0.12 s',
  )
})
