// Has an address a name of the host-name list? Its reverse zone belongs to the owner of the address, so a name counts only
// if it resolves to the same address. Answers are cached; an address without an answer after a second has no name for half a minute.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock, Resolver } from '@rookery/kernel/world.ts'
import { readAddress } from '../../../addresses/address-set.ts'
import type { HostList } from '../../../addresses/host-list.ts'
import { plainAddress } from '../../../addresses/ranges.ts'

export interface ReverseDns {
  /** Undefined while the address has not been looked up for this list. */
  isNamed(address: string, hosts: HostList): boolean | undefined
  /** The name of the list that the address has, as far as that is known. */
  listedName(address: string): string | undefined
  /** Looks it up; resolves within a second, and then `isNamed` knows. */
  lookUp(address: string, hosts: HostList): Promise<void>
}

interface Lookup {
  readonly address: string
  readonly hosts: HostList
  readonly answered: Promise<void>
  readonly resolve: () => void
  cancel: () => void
  isRunning: boolean
  isOver: boolean
}

const LOOKUP_MS = 1_000
const CONCURRENT_LOOKUPS = 64
/** Past this, an address counts as one without a name: better an alert too many. */
const LOOKUPS = limit('reverse_dns_lookups', 4_000)
/** Addresses whose verified names are cached. */
const CACHE = limit('reverse_dns_cache', 10_000)
const NAMED_MS = 300_000
/** A server that failed for a moment looks the same. */
const NAMELESS_MS = 60_000
const UNANSWERED_MS = 30_000
/** A reverse zone may claim any number of names. */
const NAMES = limit('reverse_dns_names', 8)
/** Node.js has four threads for such calls and for files. */
const SYSTEM_LOOKUPS = limit('system_dns_lookups', 2)

export function openReverseDns({
  resolver,
  clock,
}: {
  readonly resolver: Resolver
  readonly clock: Clock
}): ReverseDns {
  const findName = openNameCheck(resolver)
  const cache = boundedMap<string, { readonly name: string | undefined; readonly until: number }>(CACHE)
  const lookups = new Map<string, Lookup>()
  const waiting: Lookup[] = []
  let cachedFor: HostList | undefined
  let running = 0

  function use(hosts: HostList): void {
    if (hosts === cachedFor) return
    cachedFor = hosts
    cache.clear()
  }

  function keep({ address, hosts }: Lookup, name: string | undefined, forMs: number): void {
    if (hosts === cachedFor) cache.set(address, { name, until: clock.now() + forMs })
  }

  function begin(address: string, hosts: HostList): Lookup {
    const { promise, resolve } = Promise.withResolvers<void>()
    const lookup: Lookup = {
      address,
      hosts,
      answered: promise,
      resolve,
      cancel: clock.after(LOOKUP_MS, () => finish(lookup, 'unanswered')),
      isRunning: false,
      isOver: false,
    }
    lookups.set(address, lookup)
    waiting.push(lookup)
    runNext()
    return lookup
  }

  function runNext(): void {
    while (running < CONCURRENT_LOOKUPS && waiting.length > 0) {
      const lookup = waiting.shift()
      // Its second is over.
      if (!lookup || lookup.isOver) continue
      lookup.isRunning = true
      running++
      findName(lookup).then(
        (name) => finish(lookup, { name }),
        () => finish(lookup, { name: undefined }),
      )
    }
  }

  /** A late answer is still cached. */
  function finish(lookup: Lookup, found: { readonly name: string | undefined } | 'unanswered'): void {
    if (found !== 'unanswered') keep(lookup, found.name, found.name === undefined ? NAMELESS_MS : NAMED_MS)
    if (lookup.isOver) return
    if (found === 'unanswered') keep(lookup, undefined, UNANSWERED_MS)
    lookup.isOver = true
    lookup.cancel()
    lookups.delete(lookup.address)
    if (lookup.isRunning) running--
    lookup.resolve()
    runNext()
  }

  return {
    isNamed(address, hosts) {
      use(hosts)
      const cached = cache.get(address)
      if (cached && cached.until > clock.now()) return cached.name !== undefined
      if (readAddress(address) === undefined) return false
      if (lookups.size < LOOKUPS.max) return undefined
      LOOKUPS.hit()
      return false
    },
    listedName: (address) => cache.get(address)?.name,
    lookUp(address, hosts) {
      use(hosts)
      return (lookups.get(address) ?? begin(address, hosts)).answered
    },
  }
}

/** A name of the address that is on the list and resolves to it. */
function openNameCheck(resolver: Resolver): (lookup: Lookup) => Promise<string | undefined> {
  let systemLookups = 0

  /** Asks the DNS; a name that it does not have may be in /etc/hosts of this machine. */
  async function resolvesBack(name: string, lookup: Lookup): Promise<boolean> {
    const wanted = readAddress(lookup.address)
    const isWanted = (address: string): boolean => readAddress(address) === wanted
    if (resolver.records) {
      if ((await resolver.records(name)).some(isWanted)) return true
      if (lookup.isOver) return false
      // The system's resolver occupies a thread for as long as the name's zone, the intruder's, likes.
      if (systemLookups >= SYSTEM_LOOKUPS.max) {
        SYSTEM_LOOKUPS.hit()
        return false
      }
    }
    systemLookups++
    try {
      return (await resolver.addresses(name)).some(isWanted)
    } finally {
      systemLookups--
    }
  }

  return async (lookup) => {
    const claimed = await resolver.reverse(plainAddress(lookup.address))
    const listed = claimed.filter((name) => lookup.hosts.has(name))
    if (listed.length > NAMES.max) NAMES.hit()
    for (const name of listed.slice(0, NAMES.max)) if (await resolvesBack(name, lookup)) return name
    return undefined
  }
}
