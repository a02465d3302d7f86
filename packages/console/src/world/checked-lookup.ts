// DNS for outbound connections: resolved at every connect, and only checked addresses are answered. This defeats DNS
// rebinding.
import { isIP, type LookupFunction } from 'node:net'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Resolver } from '@rookery/kernel/world.ts'
import { isLoopbackHost } from '../addresses/own-address.ts'
import type { Ranges } from '../addresses/ranges.ts'
import { isEgressAllowed } from './egress-policy.ts'

/** A `lookup` for sockets that answers public addresses and those in `allow`; any other is an error. */
export function checkedLookup(allow: Ranges, resolver: Pick<Resolver, 'addresses'>): LookupFunction {
  return (hostname, options, callback) => {
    resolver.addresses(hostname).then(
      (found) => {
        const admitted = found.filter((address) => isEgressAllowed(address, allow))
        if (admitted.length === 0) {
          callback(found.length === 0 ? unknownName(hostname) : refused(hostname, found), '')
          return
        }
        const addresses = admitted.map((address) => ({ address, family: isIP(address) }))
        if (options.all) callback(null, addresses)
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0)
      },
      (error: unknown) => callback(error as Error, ''),
    )
  }
}

const unknownName = (hostname: string): Fault => new Fault('unavailable', `${hostname} has no address.`)

/** Why nothing is sent to this host, where that needs no resolver: a literal address, or a name of loopback (RFC 6761, 6.3). */
export function refusalOfHost(text: string, allow: Ranges): string | undefined {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  const addresses = isIP(host) === 0 ? (isLoopbackHost(host) ? ['127.0.0.1', '::1'] : []) : [host]
  if (addresses.length === 0 || addresses.some((it) => isEgressAllowed(it, allow))) return undefined
  return refused(host, []).message
}

/** The same of a URL; what is no URL is refused elsewhere. */
export const refusalOfUrl = (url: string, allow: Ranges): string | undefined =>
  URL.canParse(url) ? refusalOfHost(new URL(url).hostname, allow) : undefined

/** The fault of a host that may not be connected to, with its addresses. */
export function refused(host: string, addresses: readonly string[]): Fault {
  const which =
    addresses.length === 0 || addresses[0] === host ? host : `${host} (${addresses.slice(0, 4).join(', ')})`
  return new Fault('forbidden', `${which} is not a public address; ROOKERY_OUTBOUND_ALLOW can admit it.`)
}
