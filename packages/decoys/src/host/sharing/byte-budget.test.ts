import { limit, withMax } from '@rookery/kernel/limit.ts'
import { expect, it } from 'vitest'
import { byteBudget } from './byte-budget.ts'

const bound = withMax(limit('test_bytes_held', 0), 100)

it('beyond the bound, those that have held something longest are given up, and no more of them than it takes', () => {
  const budget = byteBudget<string>(bound)
  expect(budget.hold('first', 40)).toEqual([])
  expect(budget.hold('second', 60)).toEqual([])
  expect(budget.hold('third', 10)).toEqual(['first'])
  expect(budget.hold('third', 30)).toEqual([])
  expect(budget.hold('fourth', 70)).toEqual(['second'])
})

it('a connection that holds less than the others on average is not given up for them', () => {
  const budget = byteBudget<string>(bound)
  budget.hold('patient', 5)
  budget.hold('first', 45)
  budget.hold('second', 45)
  expect(budget.hold('third', 45)).toEqual(['first'])
  expect(budget.hold('fourth', 45)).toEqual(['second'])
})

it('what was released counts no more, and a connection counts once', () => {
  const budget = byteBudget<string>(bound)
  budget.hold('first', 90)
  budget.release('first')
  budget.release('first')
  expect(budget.hold('second', 90)).toEqual([])
  expect(budget.hold('second', 100)).toEqual([])
  expect(budget.hold('second', 101)).toEqual(['second'])
})
