import { expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { withMax } from '@rookery/kernel/limit.ts'
import { openBodyBudget } from './budget.ts'
import { ALL_BODY_BYTES, UNKNOWN_BODY_BYTES } from '../request-limits.ts'

const open = () => openBodyBudget(withMax(ALL_BODY_BYTES, 100), withMax(UNKNOWN_BODY_BYTES, 30))

it('bodies beyond the budget are refused as a service that is unavailable, with the time to wait', () => {
  const budget = open()
  const [first, second] = [budget.open(), budget.open()]
  first.known()
  second.known()
  first.take(90)
  expect(() => second.take(11)).toThrow(Fault)
  expect(() => second.take(11)).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterS: 2 }))
  second.take(10)
  first.release()
  first.release()
  expect(budget.used()).toBe(10)
  second.take(90)
})

it('strangers fill their own part, and none of what callers with a key have', () => {
  const budget = open()
  const strangers = [budget.open(), budget.open()]
  for (const stranger of strangers) stranger.take(15)
  expect(() => budget.open().take(1)).toThrow(Fault)
  const caller = budget.open()
  caller.known()
  caller.take(70)
  strangers[0]?.known()
  budget.open().take(0)
  caller.release()
  // The bytes of a stranger who turned out to have a key are no stranger's any more.
  budget.open().take(15)
  for (const stranger of strangers) stranger.release()
  expect(budget.used()).toBe(15)
})
