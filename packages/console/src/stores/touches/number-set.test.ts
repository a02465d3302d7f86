import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NO_NUMBERS, withNumber } from './number-set.ts'

it('takes each number once, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 200 }), (numbers) => {
      let set = NO_NUMBERS
      const taken = new Set<number>()
      for (const seq of numbers) {
        const next = withNumber(set, seq)
        expect(next !== undefined).toBe(!taken.has(seq))
        taken.add(seq)
        set = next ?? set
      }
    }),
  )
})

it('numbers that come in order leave nothing to remember', () => {
  let set = NO_NUMBERS
  for (const seq of [1, 2, 5, 4, 3, 6]) set = withNumber(set, seq) ?? set
  expect(set).toEqual({ last: 6, missing: [] })
})
