import { expect, it } from 'vitest'
import fc from 'fast-check'
import { startOf } from './fields.ts'

it('the start of a text is that of the text, whatever its characters', () => {
  const latin = fc.string({ unit: fc.integer({ max: 0xff }).map((code) => String.fromCharCode(code)) })
  const any = fc.string({ unit: fc.integer({ max: 0xffff }).map((code) => String.fromCharCode(code)) })
  fc.assert(
    fc.property(fc.oneof(latin, any), fc.nat(12), (text, characters) => {
      expect(startOf(text, characters)).toBe(text.slice(0, characters))
    }),
  )
})
