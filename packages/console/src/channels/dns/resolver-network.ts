// The network that counts as one resolver: its servers share an IPv4 /24 or an IPv6 /56.
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `192.0.2.0/24`, `2001:db8:0:100::/56`; any other text unchanged. */
export function resolverNetwork(address: string): string {
  if (!address.includes(':')) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  if (!isIPv6(address)) return address
  const [a = 0, b = 0, c = 0, d = 0] = (ipaddr.parse(address) as ipaddr.IPv6).parts
  return `${[a, b, c, d & 0xff00].map((part) => part.toString(16)).join(':')}::/56`
}
