// The addresses of this machine that a wildcard stands for.
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

const WILDCARDS = new Set(['0.0.0.0', '::'])

export const isLoopback = (address: string): boolean => address === '::1' || /^127\./.test(address)

export const isWildcard = (address: string): boolean => WILDCARDS.has(address)

/** Each address once; of link-local IPv6 (fe80::) with its zone. `::` stands for those of IPv4 as well. */
export function localAddresses(wildcard: string): string[] {
  const all = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.map(({ address }) => (/^fe80:/i.test(address) ? `${address}%${name}` : address)),
  )
  return [...new Set(all)].filter((address) => wildcard === '::' || !isIPv6(address))
}
