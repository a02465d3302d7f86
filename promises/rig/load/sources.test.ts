import { isIPv4 } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SOURCE_BYTES, sourceNumber, sourceText } from './sources.ts'

it('every number is an address of its own, always of the same length', () => {
  fc.assert(
    fc.property(fc.nat(400_000_000), (number) => {
      const text = sourceText(number)
      expect(isIPv4(text)).toBe(true)
      expect(text).toHaveLength(SOURCE_BYTES)
      expect(sourceNumber(text)).toBe(number)
    }),
  )
})
