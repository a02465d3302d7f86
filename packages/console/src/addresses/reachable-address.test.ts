import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { hostPortText } from './host-port.ts'
import { localAddress, printedUrl, reachableHost, sentUrl } from './reachable-address.ts'

const entry = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  internal,
  netmask: '',
  mac: '',
  cidr: null,
  ...(address.includes(':') ? { family: 'IPv6', scopeid: 0 } : { family: 'IPv4' }),
})

const loopback = { lo: [entry('127.0.0.1', true), entry('::1', true)] }

describe('what listens at every address of a machine', () => {
  it('is called by one that others reach, of IPv4 where there is one', () => {
    const lan = { ...loopback, eth0: [entry('fe80::1'), entry('2001:db8::5'), entry('192.168.1.5')] }
    expect(reachableHost('0.0.0.0', lan)).toBe('192.168.1.5')
    for (const any of ['::', '0:0:0:0:0:0:0:0', '::0']) expect(reachableHost(any, lan)).toBe('192.168.1.5')
    expect(reachableHost('::', { ...loopback, eth0: [entry('2001:db8::5')] })).toBe('2001:db8::5')
  })

  it('has none that others reach on a machine of loopback and link-local addresses, or of the other family', () => {
    expect(
      reachableHost('::', { ...loopback, eth0: [entry('fe80::1'), entry('169.254.7.7')] }),
    ).toBeUndefined()
    expect(reachableHost('0.0.0.0', { ...loopback, eth0: [entry('2001:db8::5')] })).toBeUndefined()
  })

  it('is called by loopback from the machine itself, with IPv6 in brackets', () => {
    expect(localAddress('0.0.0.0:8080')).toBe('127.0.0.1:8080')
    expect(localAddress('[::]:8080')).toBe('[::1]:8080')
    expect(localAddress('10.0.0.5:8080')).toBe('10.0.0.5:8080')
  })
})

it('no URL that is printed or sent names an address that cannot be called', () => {
  for (const host of ['0.0.0.0', '::', '127.0.0.1', '2001:db8::5']) {
    const at = hostPortText(host, 8080)
    const { hostname, origin } = new URL(printedUrl(at))
    expect(hostname).not.toMatch(/^(0\.0\.0\.0|\[::\])$/)
    expect(sentUrl('', at)).toBe(reachableHost(host) === undefined ? '' : origin)
    expect(sentUrl('https://console.example.com', at)).toBe('https://console.example.com')
  }
})
