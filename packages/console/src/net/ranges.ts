// Sets of addresses given as single IPs and CIDR ranges, both families; IPv4-mapped IPv6 counts as IPv4.
import { BlockList, isIP, SocketAddress } from 'node:net'
import { Fault } from '@rookery/kernel/fault.ts'

export interface Ranges {
  has(address: string): boolean
}

/** The plain spelling of an address: `::ffff:192.0.2.1` is `192.0.2.1`. */
export const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** Reads one IP or CIDR range into the list; false when it is neither. */
export function addRange(list: BlockList, text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  if (prefix === undefined) {
    const plain = plainAddress(address)
    list.addAddress(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
    return true
  }
  const bits = Number(prefix)
  if (!/^\d{1,3}$/.test(prefix) || bits > (family === 4 ? 32 : 128)) return false
  list.addSubnet(address, bits, type)
  return true
}

/** One spelling for all of an address or CIDR range; undefined when the text is neither. */
export function canonicalRange(text: string): string | undefined {
  if (!addRange(new BlockList(), text)) return undefined
  const [given = '', prefix] = text.split('/')
  const address = prefix === undefined ? plainAddress(given) : given
  const family = isIP(address)
  const canonical = family === 4 ? address : new SocketAddress({ address, family: 'ipv6' }).address
  return prefix === undefined || Number(prefix) === (family === 4 ? 32 : 128)
    ? canonical
    : `${canonical}/${Number(prefix)}`
}

export function inList(list: BlockList, address: string): boolean {
  const plain = plainAddress(address)
  const family = isIP(plain)
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}

/** Parses a comma-separated list; a wrong entry is a `bad-input` that names it. */
export function parseRanges(text: string, parameter: string): Ranges {
  const list = new BlockList()
  for (const entry of text
    .split(',')
    .map((e) => e.trim())
    .filter(Boolean)) {
    if (!addRange(list, entry)) {
      throw new Fault('bad-input', `Parameter ${parameter} was invalid.`, {
        details: {
          [parameter]: `must be IP addresses and CIDR ranges, separated by commas; ${JSON.stringify(entry)} is neither`,
        },
      })
    }
  }
  return { has: (address) => inList(list, address) }
}
