import fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemRandom } from './system.ts'

it('random bytes are as many as asked for, never given twice, and stay what they were', () => {
  const seen = new Set<string>()
  const kept: { bytes: Uint8Array; hex: string }[] = []
  fc.assert(
    fc.property(fc.integer({ min: 16, max: 5_000 }), (length) => {
      const bytes = systemRandom.bytes(length)
      expect(bytes.length).toBe(length)
      for (let at = 0; at + 16 <= length; at += 16) {
        const part = Buffer.from(bytes.subarray(at, at + 16)).toString('hex')
        expect(seen.has(part)).toBe(false)
        seen.add(part)
      }
      kept.push({ bytes, hex: Buffer.from(bytes).toString('hex') })
    }),
    { numRuns: 300 },
  )
  for (const { bytes, hex } of kept) expect(Buffer.from(bytes).toString('hex')).toBe(hex)
  expect(systemRandom.bytes(0)).toHaveLength(0)
})

it('every value of a byte is as likely as any other', () => {
  const counts = new Array<number>(256).fill(0)
  for (let n = 0; n < 40_000; n++)
    for (const byte of systemRandom.bytes(16)) counts[byte] = (counts[byte] ?? 0) + 1
  // 2,500 of each; five standard deviations are 250.
  for (const count of counts) expect(Math.abs(count - 2_500)).toBeLessThan(350)
})
