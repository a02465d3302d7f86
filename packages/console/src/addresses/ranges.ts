// Sets of addresses given as single IPs and CIDR ranges, both families; IPv4-mapped IPv6 counts as IPv4.
import { isIP, SocketAddress } from 'node:net'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { openAddressSet, readAddress, readRange } from './address-set.ts'

export interface Ranges {
  has(address: string): boolean
}

/** IPv4-mapped IPv6 as IPv4: `::ffff:192.0.2.1` is `192.0.2.1`. */
export const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** One spelling for all of an address or CIDR range, without a zone; undefined when the text is neither. */
export function canonicalRange(text: string): string | undefined {
  if (!readRange(text)) return undefined
  const [address = '', prefix] = text.split('/')
  const family = isIP(address)
  const canonical = family === 4 ? address : new SocketAddress({ address, family: 'ipv6' }).address
  return prefix === undefined || Number(prefix) === (family === 4 ? 32 : 128)
    ? plainAddress(canonical)
    : `${canonical}/${Number(prefix)}`
}

/** Parses a comma-separated list; a wrong entry is a `bad-input` that names it. */
export function parseRanges(text: string, parameter: string): Ranges {
  const ranges = openAddressSet()
  for (const entry of text
    .split(',')
    .map((e) => e.trim())
    .filter(Boolean)) {
    const range = readRange(entry)
    if (!range) {
      throw invalidParameter(
        parameter,
        `must be IP addresses and CIDR ranges, separated by commas; ${JSON.stringify(entry)} is neither`,
      )
    }
    ranges.add(range)
  }
  return {
    has(text) {
      const address = readAddress(text)
      return address !== undefined && ranges.has(address)
    },
  }
}
