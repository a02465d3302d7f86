import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openIpv4Counts } from './ipv4-counts.ts'

const ALL = { n: 0, address: Infinity }
const LARGEST = 2 ** 32 - 1

/** Addresses of a block: some far apart, some close together. */
const block = fc
  .tuple(
    fc.array(fc.integer({ min: 0, max: LARGEST }), { maxLength: 20 }),
    fc.constantFrom(0, 0x0a000000, 0x0a000f00, LARGEST - 300),
    fc.nat(300),
  )
  .map(([apart, from, length]) => {
    const close = Array.from({ length }, (_, n) => from + n)
    return Uint32Array.from(new Set([...apart, ...close])).sort()
  })

it('counts addresses, however close together they lie and however often they come', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(block, fc.integer({ min: 0, max: 65_535 }))), (blocks) => {
      const counts = openIpv4Counts()
      const plain = new Map<number, number>()
      for (const [at, [addresses, most]] of blocks.entries()) {
        const each = Uint16Array.from(addresses, (_, n) => (n % 3 === 0 ? most : n % 2))
        if (at % 4 === 3) addresses.forEach((address, n) => counts.add(address, each[n] ?? 0))
        else counts.addRising(addresses, each)
        addresses.forEach((address, n) => plain.set(address, (plain.get(address) ?? 0) + (each[n] ?? 0)))
      }
      const told = new Map<number, number>()
      let twice = 0
      counts.each((address, n) => {
        if (told.has(address)) twice++
        told.set(address, n)
      }, ALL)
      expect(twice).toBe(0)
      const wrong = [...plain].filter(([address, n]) => (told.get(address) ?? 0) !== n)
      expect(wrong).toEqual([])
      expect([...told.keys()].filter((address) => !plain.has(address) && told.get(address) !== 0)).toEqual([])
    }),
    { numRuns: 60 },
  )
})
