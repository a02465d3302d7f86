import { expect, it } from 'vitest'
import { resolverNetwork } from './resolver-network.ts'
import { zoneOf } from './zone-option.ts'

it('names resolve to the given addresses, else to the host of the URL if it is one, else to loopback', () => {
  const texts = (addresses: string, url: string) => {
    const { ipv4, ipv6 } = zoneOf('T.Example.', addresses, url)
    return [ipv4.map((it) => it.join('.')), ipv6.map((it) => Buffer.from(it).toString('hex'))]
  }
  expect(texts('192.0.2.1, 2001:db8::1', 'http://192.0.2.9')).toEqual([
    ['192.0.2.1'],
    ['20010db8000000000000000000000001'],
  ])
  expect(texts('', 'http://192.0.2.9:81')).toEqual([['192.0.2.9'], []])
  expect(texts('', 'http://[2001:db8::9]')).toEqual([[], ['20010db8000000000000000000000009']])
  expect(texts('', 'https://tokens.example.com')).toEqual([['127.0.0.1'], []])
  expect(texts('', '')).toEqual([['127.0.0.1'], []])
  expect(zoneOf('T.Example.', '', '').labels).toEqual(['t', 'example'])
})

it('the servers of one resolver are one network', () => {
  expect(resolverNetwork('192.0.2.7')).toBe('192.0.2.0/24')
  expect(resolverNetwork('2001:db8:1:2ff:3::4')).toBe('2001:db8:1:200::/56')
})
