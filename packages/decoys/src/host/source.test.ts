import { expect, test } from 'vitest'
import { sourceOf } from './source.ts'

test('an IPv4 address is a source of its own, and all addresses of an IPv6 network are one', () => {
  expect(sourceOf('192.0.2.1')).toBe('192.0.2.1')
  const network = '2001:db8:0:7::/64'
  for (const address of ['2001:db8:0:7::1', '2001:db8:0:7:ffff:1:2:3', '2001:0DB8::7:0:0:0:9'])
    expect(sourceOf(address)).toBe(network)
  expect(sourceOf('2001:db8:0:8::1')).not.toBe(network)
  expect(sourceOf('::1')).toBe('0:0:0:0::/64')
})
