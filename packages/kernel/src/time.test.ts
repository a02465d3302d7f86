import fc from 'fast-check'
import { expect, it } from 'vitest'
import { epochText, httpDate, localTime, std } from './time.ts'

/** 1900 to 9999; days come again, as in a list. */
const instants = fc.array(fc.integer({ min: -2_208_988_800_000, max: 253_402_200_000_000 }), { minLength: 1 })

it('an instant is spelled as the calendar has it, whichever was spelled before', () => {
  fc.assert(
    fc.property(instants, (some) => {
      for (const atMs of some.flatMap((at) => [at, at + 1_000, at + 86_400_000])) {
        const date = new Date(atMs)
        const utc = date.toISOString().slice(0, 19).replace('T', ' ')
        expect(localTime(atMs)).toBe(utc)
        expect(std(atMs)).toBe(`${utc} UTC+0000`)
        expect(httpDate(atMs)).toBe(date.toUTCString())
        expect(epochText(atMs)).toBe(String(Math.floor(atMs / 1000)))
      }
    }),
  )
})

it('what is no instant has no spelling', () => {
  expect(() => localTime(Number.NaN)).toThrow(RangeError)
})
