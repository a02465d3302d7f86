import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { isInZone, ownHosts } from './own-hosts.ts'

const hostOf = (url: string): string => new URL(url).hostname

describe('a host', () => {
  it('is ours by its name, however it is spelled', () => {
    const own = ownHosts({ hosts: ['Files.example.com', '192.0.2.80'], zone: 't.example', listening: [] })
    for (const url of [
      'http://files.EXAMPLE.com./x',
      'http://t.example:99/',
      'http://a.b.t.example',
      'http://192.0.2.80',
      'http://0xc0.0.2.80/',
      'http://[::ffff:192.0.2.80]/',
    ])
      expect(own.has(hostOf(url)), url).toBe(true)
    for (const url of ['http://example.com', 'http://xt.example', 'http://t.example.com', 'http://192.0.2.8'])
      expect(own.has(hostOf(url)), url).toBe(false)
  })

  it('of loopback is ours where a listener is there, and not where all are elsewhere', () => {
    const own = (listening: readonly string[]) => ownHosts({ hosts: [], zone: 't.example', listening })
    for (const url of [
      'http://127.0.0.1/',
      'http://localhost',
      'http://[::1]:8/',
      'http://0/',
      'http://a.localhost',
    ])
      for (const listener of ['127.0.0.1', '::1', '0.0.0.0', '::'])
        expect(own([listener]).has(hostOf(url)), `${url} ${listener}`).toBe(true)
    expect(own(['192.0.2.80']).has('localhost')).toBe(false)
    expect(own(['192.0.2.80']).has('192.0.2.80')).toBe(true)
  })

  it('is ours by each address of the machine where a listener is on all of them', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((of) => of?.map((it) => it.address) ?? [])
    const everywhere = ownHosts({ hosts: [], zone: 't.example', listening: ['0.0.0.0'] })
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) expect(everywhere.has(address), address).toBe(true)
    expect(everywhere.has('198.51.100.7')).toBe(false)
  })
})

it('a zone that is an address has no names below it', () => {
  expect(isInZone('192.0.2.80', '192.0.2.80')).toBe(false)
  expect(isInZone('x.t.example', 'T.example.')).toBe(true)
})
