// The network that counts as one source: an IPv6 customer has a whole /64.
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An IPv4 address as it is, an IPv6 address as its /64; any other text unchanged. */
export function sourceNetwork(address: string): string {
  // A short way for IPv4: every touch calls this.
  if (!address.includes(':') || !isIPv6(address)) return address
  const parsed = ipaddr.parse(address) as ipaddr.IPv6
  return parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':') + '::/64'
}
