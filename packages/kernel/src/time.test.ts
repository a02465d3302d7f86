import fc from 'fast-check'
import { expect, it } from 'vitest'
import { epochText, httpDate, localTime, parseListTime, std } from './time.ts'

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

it('a time of a list is read in the forms in which clients have one', () => {
  const at = Date.UTC(2026, 10, 20, 9, 39, 2)
  const forms: [text: string, expected: number][] = [
    ['2026-11-20-09:39:02', at],
    ['2026-11-20T09:39:02Z', at],
    ['2026-11-20t09:39:02z', at],
    ['2026-11-20T09:39:02', at],
    ['2026-11-20T10:39:02+01:00', at],
    // As it comes out of a query whose plus was not encoded.
    ['2026-11-20T10:39:02 01:00', at],
    ['2026-11-20T04:09:02-0530', at],
    ['2026-11-20T09:39:02.250Z', at + 250],
    ['2026-11-20T09:39Z', at - 2_000],
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['1795167542', at],
    ['1795167542.250000', at + 250],
    ['0', 0],
  ]
  expect(forms.map(([text]) => [text, parseListTime(text, 'newer_than')])).toEqual(forms)
  const wrong = [
    ...['', '2026', '20261120', '1795167542000', '-5', 'yesterday', '2026-02-30', '2026-13-01T00:00:00Z'],
    ...['2026-11-20T25:00:00Z', '2026-11-20 09:39:02', '2026-11-20T09:39:02+99:00', '+2026-11-20', '1e9'],
  ]
  for (const text of wrong)
    expect(() => parseListTime(text, 'newer_than'), text).toThrow(
      expect.objectContaining({ message: 'Parameter newer_than was invalid.' }) as Error,
    )
})
