// Whose request is it? Forwarded addresses are believed only from trusted proxies, from the right.
import { isIP } from 'node:net'
import { plainAddress, type Ranges } from './ranges.ts'

/** The first address from the right that is not a trusted proxy; `peer` itself when it is not one. */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: Ranges): string {
  let address = plainAddress(peer)
  if (forwardedFor === undefined) return address
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  while (trusted.has(address)) {
    const next = plainAddress((hops.pop() ?? '').replace(/^\[(.*)\](:\d+)?$/, '$1'))
    if (isIP(next) === 0) break
    address = next
  }
  return address
}
