import { expect, test } from 'vitest'
import { exchangeBudget } from './exchange-budget.ts'

test('a source has ten connections a second, and does not take those of another', () => {
  const budget = exchangeBudget()
  const admitted = (source: string, at: number): number =>
    Array.from({ length: 20 }, () => budget.admitsConnection(source, at)).filter(Boolean).length
  expect([admitted('a', 0), admitted('b', 500), admitted('a', 999), admitted('a', 1_000)]).toEqual([
    10, 10, 0, 10,
  ])
})

test('after fifty exchanges in a second no further one begins, and no connection is taken for one', () => {
  const budget = exchangeBudget()
  const begun = Array.from({ length: 60 }, () => budget.admitsExchange(0)).filter(Boolean)
  expect(begun).toHaveLength(50)
  expect(budget.admitsConnection('a', 900)).toBe(false)
  expect(budget.admitsConnection('a', 1_000)).toBe(true)
  expect(budget.admitsExchange(1_000)).toBe(true)
})
