// A set of addresses and CIDR ranges whose look-up time does not depend on its size: every touch is looked up.
import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ipv4Value } from './ipv4.ts'

/** An IPv4 address as an unsigned number, an IPv6 address as a bigint; IPv4-mapped IPv6 is IPv4. */
export type Address = number | bigint

/** Addresses whose first `prefix` bits are those of `start`. */
export interface Range {
  readonly start: Address
  readonly prefix: number
}

export interface AddressSet {
  add(range: Range): void
  has(address: Address): boolean
}

const V4_BITS = 32
const V6_BITS = 128
const MAPPED_BITS = V6_BITS - V4_BITS

/** Undefined for text that is no IP address. The zone (`%eth0`), which has a meaning on one host alone, is dropped. */
export function readAddress(text: string): Address | undefined {
  return ipv4Value(text) ?? (isIPv6(text) ? fromIpv6(text) : undefined)
}

function fromIpv6(text: string): Address {
  const [bare = ''] = text.split('%')
  const { parts } = ipaddr.parse(bare) as ipaddr.IPv6
  const value = parts.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n)
  return value >> 32n === 0xffffn ? Number(value & 0xffff_ffffn) : value
}

/** Reads an address or a CIDR range; undefined when the text is neither. */
export function readRange(text: string): Range | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const start = readAddress(address)
  if (start === undefined || rest.length > 0) return undefined
  const bits = typeof start === 'number' ? V4_BITS : V6_BITS
  if (length === undefined) return { start, prefix: bits }
  if (!/^\d{1,3}$/.test(length)) return undefined
  // The prefix of a mapped range counts in IPv6.
  const prefix = Number(length) - (isIP(address) === 6 && bits === V4_BITS ? MAPPED_BITS : 0)
  return prefix >= 0 && prefix <= bits ? { start, prefix } : undefined
}

/** Prefix lengths of the widest ranges that are taken without a further word. */
export const WIDEST = { v4: 8, v6: 16 }

/** Wider than /8 (IPv6: /16): mostly a slip of the hand. */
export const isWide = ({ start, prefix }: Range): boolean =>
  prefix < (typeof start === 'number' ? WIDEST.v4 : WIDEST.v6)

/** Whether every address of `inner` lies in `outer`. */
export function covers(outer: Range, inner: Range): boolean {
  if (outer.prefix > inner.prefix) return false
  const [a, b] = [outer.start, inner.start]
  if (typeof a === 'number') return typeof b === 'number' && cut4(a, outer.prefix) === cut4(b, outer.prefix)
  const prefix = BigInt(outer.prefix)
  return typeof b === 'bigint' && cut6(a, prefix) === cut6(b, prefix)
}

export function openAddressSet(): AddressSet {
  // One set of starts for each prefix length that occurs: there are few lengths.
  const v4: { readonly prefix: number; readonly starts: Set<number> }[] = []
  const v6: { readonly prefix: bigint; readonly starts: Set<bigint> }[] = []
  return {
    add({ start, prefix }) {
      if (typeof start === 'number') {
        let of = v4.find((it) => it.prefix === prefix)
        if (!of) v4.push((of = { prefix, starts: new Set() }))
        of.starts.add(cut4(start, prefix))
      } else {
        const length = BigInt(prefix)
        let of = v6.find((it) => it.prefix === length)
        if (!of) v6.push((of = { prefix: length, starts: new Set() }))
        of.starts.add(cut6(start, length))
      }
    },
    has(address) {
      if (typeof address === 'number') {
        for (const { prefix, starts } of v4) if (starts.has(cut4(address, prefix))) return true
      } else {
        for (const { prefix, starts } of v6) if (starts.has(cut6(address, prefix))) return true
      }
      return false
    },
  }
}

/** In JavaScript a shift by 32 is a shift by 0. */
const cut4 = (address: number, prefix: number): number => (prefix === 0 ? 0 : address >>> (V4_BITS - prefix))
const cut6 = (address: bigint, prefix: bigint): bigint => address >> (BigInt(V6_BITS) - prefix)
