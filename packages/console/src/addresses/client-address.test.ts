import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientAddress, FORWARDED_HEADERS, type ForwardedHeader } from './client-address.ts'
import { parseRanges } from './ranges.ts'

const PROXY = '10.0.0.5'
const trusted = parseRanges('10.0.0.0/24, 2001:db8:a::/48', 'trusted')
const behind = (list: string | undefined, header?: ForwardedHeader): string =>
  clientAddress(PROXY, list, trusted, header)

/** The examples of RFC 7239, sections 4 and 6, and what real proxies write. */
const FORWARDED: readonly (readonly [list: string, client: string])[] = [
  ['for=192.0.2.60;proto=http;by=203.0.113.43', '192.0.2.60'],
  ['For="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
  ['for="[2001:db8:cafe::17]"', '2001:db8:cafe::17'],
  ['for="192.0.2.43:47011"', '192.0.2.43'],
  ['for="192.0.2.43:_port"', '192.0.2.43'],
  ['for="::ffff:192.0.2.43"', '192.0.2.43'],
  ['for=2001:db8:cafe::17', '2001:db8:cafe::17'],
  ['for="[2001:DB8:cafe:0:0:0:0:17]"', '2001:db8:cafe::17'],
  ['for="[::ffff:c000:22b]:80"', '192.0.2.43'],
  ['for="[2001:db8:cafe::17%eth0]"', '2001:db8:cafe::17'],
  ['proto=https;by=10.0.0.5;for=192.0.2.43', '192.0.2.43'],
  ['host="a,b;c=\\"d";for=192.0.2.43', '192.0.2.43'],
  ['for="192.0.2.\\43"', '192.0.2.43'],
  [' for=192.0.2.43 ; ', '192.0.2.43'],
]

describe('the client behind a trusted proxy that sends Forwarded', () => {
  it.each(FORWARDED)('%s is %s', (list, client) => {
    expect(behind(list, 'forwarded')).toBe(client)
  })

  it('is the first from the right that is no trusted proxy', () => {
    for (const [list, client] of [
      ['for=6.6.6.6, for=192.0.2.43', '192.0.2.43'],
      ['for=6.6.6.6, for=192.0.2.43, for=10.0.0.7;by=10.0.0.5', '192.0.2.43'],
      ['for=192.0.2.43, for="[2001:db8:a::1]:80", for=10.0.0.7', '192.0.2.43'],
      ['for=10.0.0.8, for=10.0.0.7', '10.0.0.8'],
    ] as const)
      expect(behind(list, 'forwarded'), list).toBe(client)
  })

  it('is the proxy that does not name one, and never what stands left of that', () => {
    for (const [list, client] of [
      ['for=unknown', PROXY],
      ['for=6.6.6.6, for=_hidden', PROXY],
      ['for=6.6.6.6, for="_SEVKISEK", for=10.0.0.7', '10.0.0.7'],
      ['for=6.6.6.6, proto=https', PROXY],
      ['for=6.6.6.6,', PROXY],
      ['', PROXY],
      ['for=', PROXY],
      ['for', PROXY],
      ['for=6.6.6.6;for=7.7.7.7', PROXY],
      ['for=6.6.6.6, for="192.0.2.43', PROXY],
      ['for=6.6.6.6, for=192.0.2.43"', PROXY],
      ['for=6.6.6.6, f r=192.0.2.43', PROXY],
      ['for=300.1.1.1', PROXY],
    ] as const)
      expect(behind(list, 'forwarded'), list).toBe(client)
  })

  it('is what the proxy added, whatever the client sent in front of it', () => {
    const own = ['for=192.0.2.43', 'for="[2001:db8:cafe::17]:4711";proto=https;by="_x"'] as const
    for (const garbage of ['for="', '"', 'for="\\', 'x="\\", for=6.6.6.6', ';;;', 'for=6.6.6.6;x="', '\\'])
      expect(behind(`${garbage}, ${own[0]}`, 'forwarded'), garbage).toBe('192.0.2.43')
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...own), (garbage, added) => {
        expect(behind(`${garbage}, ${added}`, 'forwarded')).toBe(
          added === own[0] ? '192.0.2.43' : '2001:db8:cafe::17',
        )
      }),
    )
  })

  it('is found in a header of 16 KiB that is made to be slow', () => {
    for (const piece of ['\\"', '"\\', ';', ',', 'for=10.0.0.7,', '"'])
      behind(piece.repeat(16_384 / piece.length), 'forwarded')
  })
})

describe('the client', () => {
  it('without a trusted proxy is the other end of the connection, whatever it sends', () => {
    for (const header of FORWARDED_HEADERS) {
      expect(clientAddress('203.0.113.9', 'for=6.6.6.6', trusted, header)).toBe('203.0.113.9')
      expect(clientAddress('203.0.113.9', '6.6.6.6', trusted, header)).toBe('203.0.113.9')
    }
  })

  it('is named by one header alone: the text of the other is none', () => {
    expect(behind('for=6.6.6.6')).toBe(PROXY)
    expect(behind('6.6.6.6', 'forwarded')).toBe(PROXY)
    expect(behind(undefined, 'forwarded')).toBe(PROXY)
  })

  it('by X-Forwarded-For is the first from the right that is no trusted proxy', () => {
    for (const [list, client] of [
      ['192.0.2.43', '192.0.2.43'],
      ['6.6.6.6, 192.0.2.43 ,10.0.0.7', '192.0.2.43'],
      ['6.6.6.6, [2001:db8::1]:4711, 2001:db8:a::1', '2001:db8::1'],
      ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
      ['::ffff:c000:22b', '192.0.2.43'],
      ['6.6.6.6, nonsense', PROXY],
      ['6.6.6.6,', PROXY],
    ] as const)
      expect(behind(list), list).toBe(client)
  })
})
