import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limit, withMax } from './limit.ts'
import { windowCounter } from './window-counter.ts'

const KEYS = limit('test_window_counter_keys', 1_000)
const WINDOW_MS = 60

test('a key counts what came since its window was opened', () => {
  const came = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), afterMs: fc.nat({ max: 90 }) }))
  fc.assert(
    fc.property(came, (arrivals) => {
      const { count, peek, endsAt } = windowCounter<string>(KEYS, WINDOW_MS)
      const model = new Map<string, { from: number; n: number }>()
      let now = 1_000
      for (const { key, afterMs } of arrivals) {
        now += afterMs
        const window = model.get(key)
        if (window && now < window.from + WINDOW_MS) window.n++
        else model.set(key, { from: now, n: 1 })
        const { from = 0, n } = model.get(key) ?? {}
        expect(count(key, now)).toBe(n)
        expect(peek(key, now)).toBe(n)
        expect(endsAt(key, now)).toBe(from + WINDOW_MS)
      }
    }),
  )
})

test('keys beyond the bound share one window, and never push out those that are counted', () => {
  const before = KEYS.hits()
  const { count } = windowCounter<number>(withMax(KEYS, 2), WINDOW_MS)
  expect([count(1, 0), count(2, 0), count(3, 0), count(4, 0), count(1, 1)]).toEqual([1, 1, 1, 2, 2])
  expect(KEYS.hits() - before).toBe(2)
  // A minute later there is room again.
  expect([count(3, 61), count(4, 61)]).toEqual([1, 1])
})

test('a clock that is set back opens new windows instead of keeping old ones for an hour', () => {
  const { count, peek } = windowCounter<string>(KEYS, WINDOW_MS)
  expect(count('a', 10_000)).toBe(1)
  expect(peek('a', 1_000)).toBe(0)
  expect(count('a', 1_000)).toBe(1)
})
