// Network facts of a Bird as its views show them: prefix length, subnet, public address.
import ipaddr from 'ipaddr.js'
import { ipv4Value } from '../../addresses/ipv4.ts'

const BITS = 32
/** Ranges of ipaddr.js from which no address reaches the internet. */
const NOT_PUBLIC: ReadonlySet<string> = new Set([
  'carrierGradeNat',
  'linkLocal',
  'loopback',
  'private',
  'uniqueLocal',
  'unspecified',
])

/** `255.255.255.0` as `24`; other texts unchanged. */
export function prefixLength(netmask: string): string {
  const mask = ipv4Value(netmask)
  if (mask === undefined) return netmask
  const length = BITS - Math.log2(2 ** BITS - mask)
  return Number.isInteger(length) ? String(length) : netmask
}

/** The network of the first IPv4 address, such as `10.0.0.0/24`; empty if address or mask is missing. */
export function subnetOf(addresses: string, netmask: string): string {
  const length = prefixLength(netmask)
  if (!/^\d{1,2}$/.test(length) || Number(length) > BITS) return ''
  for (const text of addresses.split(',')) {
    const address = ipv4Value(text.trim())
    if (address === undefined) continue
    const size = 2 ** (BITS - Number(length))
    const start = address - (address % size)
    return `${[24, 16, 8, 0].map((shift) => (start >>> shift) & 255).join('.')}/${length}`
  }
  return ''
}

/** The source address of a Bird's connection; empty if it is not a public one. */
export function publicAddress(source: string): string {
  // Most Birds have none, and asking throws an error for each.
  if (source === '' || !ipaddr.isValid(source)) return ''
  return NOT_PUBLIC.has(ipaddr.process(source).range()) ? '' : source
}
