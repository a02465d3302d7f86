import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveFrom } from '../../test/session-context.ts'
import { pageCounts } from './page-counts.ts'

const HOUR_MS = 3_600_000
const SINCE = Date.UTC(2026, 0, 1)
const seed = fc.string().map(deriveFrom)

test('no count of a printer ever falls', () => {
  fc.assert(
    fc.property(seed, fc.nat(9_000), fc.nat(72), (derive, hours, further) => {
      const before = pageCounts(derive, SINCE + hours * HOUR_MS)
      const after = pageCounts(derive, SINCE + (hours + further) * HOUR_MS)
      for (const kind of ['prints', 'copies', 'faxes', 'jams'] as const)
        expect(after[kind]).toBeGreaterThanOrEqual(before[kind])
      expect(after.drumLeft).toBeGreaterThan(0)
      expect(after.drumLeft).toBeLessThanOrEqual(100)
    }),
  )
})

test('a printer prints on workdays, and nothing at the weekend', () => {
  const saturday = Date.UTC(2026, 10, 28)
  fc.assert(
    fc.property(seed, (derive) => {
      const prints = (hours: number): number => pageCounts(derive, saturday + hours * HOUR_MS).prints
      expect(prints(47)).toBe(prints(0))
      expect(prints(48 + 18)).toBeGreaterThan(prints(48))
    }),
  )
})
