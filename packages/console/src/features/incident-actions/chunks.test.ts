import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openChunks } from './chunks.ts'

/** The sizes of the chunks where each incident takes `cost(n)` ms, n incidents in. */
async function sizes(count: number, cost: (at: number) => number): Promise<number[]> {
  let clock = 0
  const chunks = openChunks(
    Float64Array.from({ length: count }, (_, n) => n),
    'sqlite',
    () => clock,
  )
  const seen: number[] = []
  let at = 0
  for (let chunk = chunks.next(); chunk.length > 0; chunk = chunks.next()) {
    chunks.begins()
    expect(chunk[0]).toBe(at)
    clock += chunk.length * cost(at)
    at += chunk.length
    seen.push(chunk.length)
    await chunks.ended()
  }
  expect(at).toBe(count)
  return seen
}

it('every incident is in one chunk, however slow the disk', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3_000 }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      async (count, ms) => {
        const seen = await sizes(count, () => ms)
        expect(Math.max(0, ...seen)).toBeLessThanOrEqual(1_000)
      },
    ),
    { numRuns: 30 },
  ))

it('chunks grow on a fast disk, and shrink soon when it becomes slow', async () => {
  const seen = await sizes(9_000, (at) => (at < 6_000 ? 0.01 : 0.2))
  expect(Math.max(...seen)).toBe(1_000)
  expect(seen.at(-2)).toBe(70)
})
