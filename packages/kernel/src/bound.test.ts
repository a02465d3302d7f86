import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../test/any-character.ts'
import { bounded } from './bound.ts'

test('short values pass unchanged', () => {
  const fields = { USERNAME: 'admin', N: 3, LIST: ['a', 1] }
  expect(bounded(fields)).toEqual(fields)
})

test('a long value is cut and says by how much', () => {
  const { PASSWORD, truncated } = bounded({ PASSWORD: 'a'.repeat(10_000) }) as Record<string, string>
  expect(truncated).toBe(true)
  const [, kept, more] = /^(a+)…\[\+(\d+) bytes\]$/.exec(PASSWORD!)!
  expect(kept!.length + Number(more)).toBe(10_000)
  expect(kept!.length).toBeGreaterThan(4_000)
})

test('whatever an intruder writes, an event stays within 16 KiB and a value within 4 KiB', () => {
  const value = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20_000, size: 'max' }),
    fc.string({ unit: fc.constantFrom('\0', '"', '😀', 'a'), maxLength: 20_000, size: 'max' }),
    fc.array(fc.string({ maxLength: 500 }), { maxLength: 50 }),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G'), value), (fields) => {
      const cut = bounded(fields)
      expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(16_384 + 64)
      for (const kept of Object.values(cut))
        expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(4_096)
    }),
    { numRuns: 60 },
  )
})
