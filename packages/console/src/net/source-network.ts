// Whom an address stands for: an IPv6 customer has a whole /64, so that is one source.
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An IPv4 address as it is, an IPv6 address as its /64; any other text unchanged. */
export function sourceNetwork(address: string): string {
  // Most are IPv4, and every touch asks.
  if (!address.includes(':') || !isIPv6(address)) return address
  const parsed = ipaddr.parse(address) as ipaddr.IPv6
  return parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':') + '::/64'
}
