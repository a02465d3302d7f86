// The hosts under which this console is reached: what its options name, and the addresses where it listens.
import { readAddress, type Address } from './address-set.ts'
import { isLoopbackHost, isOwnAddress } from './own-address.ts'
import { isUnspecified } from './reachable-address.ts'

export interface OwnHosts {
  /** Whether a host, as a URL spells it, leads to this console. */
  has(host: string): boolean
}

export interface OwnHostsOptions {
  /** Names and addresses that are ours. */
  readonly hosts: readonly string[]
  /** Ours are this name and those below it. */
  readonly zone: string
  /** The hosts of listening addresses: of `0.0.0.0` and `::`, each address of the machine is ours. */
  readonly listening: readonly string[]
}

/** One spelling for all of a host: an address by its value, a name in lower case without a dot at its end (RFC 1034, 3.1). */
function canonicalHost(host: string): string | Address {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  return readAddress(name) ?? name
}

export function ownHosts({ hosts, zone, listening }: OwnHostsOptions): OwnHosts {
  const own = new Set([...hosts, ...listening].map(canonicalHost))
  const isEverywhere = listening.some(isUnspecified)
  // A client takes 0.0.0.0 for loopback.
  const isHere = (host: string): boolean => isLoopbackHost(host) || isUnspecified(host)
  const isOnLoopback = listening.some(isHere)
  return {
    has(host) {
      const name = host.replace(/^\[|\]$/g, '')
      if (own.has(canonicalHost(name)) || isInZone(name, zone)) return true
      return (isOnLoopback && isHere(name)) || (isEverywhere && isOwnAddress(name))
    },
  }
}

/** Whether the host is the zone, or a name below it. */
export function isInZone(host: string, zone: string): boolean {
  const [name, apex] = [canonicalHost(host), canonicalHost(zone)]
  return typeof name === 'string' && (name === apex || name.endsWith(`.${apex}`))
}
