// The address of a request's client: forwarded addresses count only from trusted proxies, from the right.
import { readAddress } from './address-set.ts'
import { plainAddress, type Ranges } from './ranges.ts'

/** The first address from the right that is not a trusted proxy; `peer` itself when it is not one. */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: Ranges): string {
  let address = plainAddress(peer)
  if (forwardedFor === undefined) return address
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  while (trusted.has(address)) {
    const next = plainAddress(withoutPort(hops.pop() ?? ''))
    if (readAddress(next) === undefined) break
    address = next
  }
  return address
}

/** Some proxies write `192.0.2.1:5678` or `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  if (!hop.includes(':') && !hop.startsWith('[')) return hop
  return hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
