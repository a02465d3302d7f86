import { expect, test } from 'vitest'
import { exchangeBudget } from './exchange-budget.ts'

test('a source begins ten exchanges at once, then ten a second, and does not take those of another', () => {
  const budget = exchangeBudget()
  const waits = Array.from({ length: 20 }, () => budget.reserve('a', 0))
  expect(waits.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 0))
  expect(waits.slice(10)).toEqual(Array.from({ length: 10 }, (_, index) => 100 * (index + 1)))
  expect(budget.reserve('b', 0)).toBe(0)
  expect(budget.reserve('a', 2_000)).toBe(0)
})

test('a source whose exchanges wait for ten seconds is full until some have begun; those of it still wait their turn', () => {
  const budget = exchangeBudget()
  let reserved = 0
  for (; !budget.isFull('a', 0); reserved += 1) budget.reserve('a', 0)
  expect(reserved).toBe(110)
  expect(budget.reserve('a', 0)).toBe(10_100)
  expect([budget.isFull('b', 0), budget.reserve('b', 0) < 2_000]).toEqual([false, true])
  expect([budget.isFull('a', 100), budget.isFull('a', 200)]).toEqual([true, false])
  expect(budget.reserve('a', 5_000)).toBe(5_200)
})

test('sources together begin fifty exchanges at once, then fifty a second', () => {
  const budget = exchangeBudget()
  const waits = Array.from({ length: 60 }, (_, index) => budget.reserve(`source ${index}`, 0))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(50)
  expect(waits.at(-1)).toBe(200)
})

test('of thousands of sources the last are counted together', () => {
  const budget = exchangeBudget({ perSource: 10, perBird: 1_000_000 })
  for (let source = 0; source < 4_096; source += 1) budget.reserve(String(source), 0)
  const waits = Array.from({ length: 11 }, (_, index) => budget.reserve(`late ${index}`, 0))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
  expect(budget.reserve('later', 3_000)).toBe(0)
})
