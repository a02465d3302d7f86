import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundedMap } from './bounded-map.ts'
import { limit, withMax } from './limit.ts'

const KEYS = limit('test_bounded_map_keys', 3)

test('the map holds what a list of the last used keys holds, and no more', () => {
  const action = fc.record({
    kind: fc.constantFrom('get', 'peek', 'set', 'delete'),
    key: fc.integer({ min: 0, max: 6 }),
  })
  fc.assert(
    fc.property(fc.array(action), fc.integer({ min: 1, max: 5 }), (actions, max) => {
      const map = boundedMap<number, number>(withMax(KEYS, max))
      let model: { key: number; value: number }[] = []
      actions.forEach(({ kind, key }, value) => {
        const found = model.find((it) => it.key === key)
        if (kind === 'get') expect(map.get(key)).toBe(found?.value)
        if (kind === 'peek') expect(map.peek(key)).toBe(found?.value)
        if (kind === 'set') map.set(key, value)
        if (kind === 'delete') expect(map.delete(key)).toBe(found !== undefined)
        if (kind === 'peek') return
        model = model.filter((it) => it.key !== key)
        if (kind === 'set') model.push({ key, value })
        if (kind === 'get' && found) model.push(found)
        model = model.slice(-max)
      })
      expect([...map.entries()]).toEqual(model.map(({ key, value }) => [key, value]))
      expect(map.size).toBe(model.length)
    }),
  )
})

test('what leaves is announced, and counts as a hit of the limit', () => {
  const before = KEYS.hits()
  const left: string[] = []
  const map = boundedMap<string, number>(withMax(KEYS, 2), (key) => left.push(key))
  for (const key of ['a', 'b', 'c']) map.set(key, 1)
  expect(left).toEqual(['a'])
  expect(KEYS.hits() - before).toBe(1)
})

test('a limit is declared once', () => {
  expect(() => limit('test_bounded_map_keys', 9)).toThrow('declared twice')
})
