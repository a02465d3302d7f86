// The zone as options spell it.
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Zone } from '@rookery/tokens/channels/dns/zone.ts'

/** `addresses` are IP addresses, separated by commas; without any, names resolve to the host of `url` or to loopback. */
export function zoneOf(domain: string, addresses: string, url: string): Zone {
  const given = addresses === '' ? [hostOf(url)] : addresses.split(',').map((address) => address.trim())
  const bytes = (of: readonly string[]): Uint8Array[] =>
    of.map((address) => Uint8Array.from(ipaddr.parse(address).toByteArray()))
  return {
    labels: domain.toLowerCase().replace(/\.$/, '').split('.'),
    ipv4: bytes(given.filter((address) => isIPv4(address))),
    ipv6: bytes(given.filter((address) => !isIPv4(address))),
  }
}

function hostOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : ''
  return isIP(host) === 0 ? '127.0.0.1' : host
}
