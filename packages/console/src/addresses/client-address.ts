// The address of a request's client: forwarded addresses count only from trusted proxies, from the right.
import { lastForwarded, type Hop } from './forwarded.ts'
import { canonicalRange, plainAddress, type Ranges } from './ranges.ts'

/** The headers in which proxies name their clients: by custom, and by RFC 7239. */
export const FORWARDED_HEADERS = ['x-forwarded-for', 'forwarded'] as const

export type ForwardedHeader = (typeof FORWARDED_HEADERS)[number]

const LAST_HOP: Readonly<Record<ForwardedHeader, (list: string) => Hop>> = {
  'x-forwarded-for': lastListed,
  forwarded: lastForwarded,
}

/**
 * The first address from the right that is not a trusted proxy; `peer` itself when it is not one. Where a proxy names no address
 * (`unknown`, `_hidden`), the client is the proxy. `list` is the value of the header.
 */
export function clientAddress(
  peer: string,
  list: string | undefined,
  trusted: Ranges,
  header: ForwardedHeader = 'x-forwarded-for',
): string {
  let address = plainAddress(peer)
  let rest = list
  while (rest !== undefined && trusted.has(address)) {
    const { node, before } = LAST_HOP[header](rest)
    const hop = withoutPort(node ?? '')
    // Proxies have spellings of their own; sources have one.
    const next = hop.includes('/') ? undefined : canonicalRange(hop)
    if (next === undefined) break
    address = next
    rest = before
  }
  return address
}

function lastListed(list: string): Hop {
  const start = list.lastIndexOf(',') + 1
  return { node: list.slice(start).trim(), before: start === 0 ? undefined : list.slice(0, start - 1) }
}

/** Some proxies write `192.0.2.1:5678` or `[2001:db8::1]:5678`; RFC 7239 has a hidden port, `_p`, too. */
function withoutPort(hop: string): string {
  if (!hop.includes(':') && !hop.startsWith('[')) return hop
  return hop.replace(/^\[(.*)\](:[\w.-]+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):[\w.-]+$/, '$1')
}
