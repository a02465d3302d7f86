import { expect, it } from 'vitest'
import fc from 'fast-check'
import { startOf } from './fields.ts'

it('the start of a text is that of the text, whatever its characters', () => {
  const textUpTo = (max: number) => fc.string({ unit: fc.nat(max).map((code) => String.fromCharCode(code)) })
  fc.assert(
    fc.property(fc.oneof(textUpTo(0xff), textUpTo(0xffff)), fc.nat(12), (text, characters) => {
      expect(startOf(text, characters)).toBe(text.slice(0, characters))
    }),
  )
})
