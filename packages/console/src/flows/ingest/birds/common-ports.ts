// Which ports one source tried on several Birds. Pure.
import { limit } from '@rookery/kernel/limit.ts'
import type { EventFields } from '@rookery/kernel/touch.ts'

/** Ports that one Bird has seen, and its address. */
export interface PortsOfBird {
  readonly ip_address: string
  /** Rising, separated by commas. */
  readonly ports: string
}

/** Addresses of Birds that an incident 5007 names for a port. */
const ADDRESSES_OF_PORT = limit('consolidated_scan_addresses_of_port', 32)
/** Of JSON, less than an event may have. */
const BYTES = limit('consolidated_scan_bytes', 12_000)

/** The ports of an event, without the one that was cut (`…[+N bytes]`). */
export function portsOf(text: unknown): string {
  if (typeof text !== 'string') return ''
  const whole = text.includes('…') ? text.slice(0, text.lastIndexOf(',', text.indexOf('…'))) : text
  return /^\d{1,5}(,\d{1,5})*$/.test(whole) ? whole : ''
}

/** Port to the addresses of the Birds that have seen it, those of `own` that at least one of `others` has seen too. */
export function commonPorts(
  own: PortsOfBird,
  others: readonly PortsOfBird[],
): ReadonlyMap<string, readonly string[]> {
  const common = new Map<string, string[]>(own.ports.split(',').map((port) => [port, [own.ip_address]]))
  for (const { ip_address, ports } of others)
    for (const port of ports.split(',')) {
      const addresses = common.get(port)
      if (addresses && !addresses.includes(ip_address)) addresses.push(ip_address)
    }
  return new Map([...common].filter(([, addresses]) => addresses.length > 1))
}

/** The event's fields: as many ports, the lowest first, and addresses of each, as an event has room for. */
export function scanFields(common: ReadonlyMap<string, readonly string[]>): EventFields {
  const fields: Record<string, readonly string[]> = {}
  let bytes = 0
  for (const [port, addresses] of common) {
    const shown = addresses.slice(0, ADDRESSES_OF_PORT.max)
    if (shown.length < addresses.length) ADDRESSES_OF_PORT.hit()
    bytes += JSON.stringify({ [port]: shown }).length
    if (bytes > BYTES.max) {
      BYTES.hit()
      return { ...fields, truncated: true }
    }
    fields[port] = shown
  }
  return fields
}
