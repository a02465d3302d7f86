import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { covers, readRange } from '../../addresses/address-set.ts'
import { prefixLength, publicAddress, subnetOf } from './network.ts'

describe('the network of a Bird', () => {
  it('is the range of its prefix length that covers its address', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(32), (address, bits) => {
        const mask = [24, 16, 8, 0].map(
          (shift) => Math.floor((2 ** 32 - 2 ** (32 - bits)) / 2 ** shift) % 256,
        )
        expect(prefixLength(mask.join('.'))).toBe(String(bits))
        const subnet = subnetOf(`fe80::1, ${address}`, mask.join('.'))
        const [outer, inner] = [readRange(subnet), readRange(address)]
        expect(subnet).toBe(subnetOf(address, String(bits)))
        expect(outer?.prefix).toBe(bits)
        expect(outer && inner && covers(outer, inner)).toBe(true)
      }),
    )
  })

  it('is empty without an address or a mask, and a mask with holes stays as it is', () => {
    expect([subnetOf('', '255.255.255.0'), subnetOf('10.0.0.5', ''), subnetOf('10.0.0.5', '33')]).toEqual([
      '',
      '',
      '',
    ])
    expect([prefixLength('255.0.255.0'), prefixLength('')]).toEqual(['255.0.255.0', ''])
  })

  it('has a public address only where one reaches the internet', () => {
    const none = ['127.0.0.1', '10.0.0.5', '192.168.1.2', '::1', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '']
    expect(none.map(publicAddress)).toEqual(none.map(() => ''))
    expect(['198.51.100.9', '2a00::1'].map(publicAddress)).toEqual(['198.51.100.9', '2a00::1'])
  })
})
