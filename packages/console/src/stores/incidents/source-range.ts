// A range of IPv4 addresses as a condition on stored texts: at most 128 beginnings such as `10.0.`, or as many whole addresses.
import { isIPv4 } from 'node:net'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { canonicalRange } from '../../addresses/ranges.ts'

/** Texts that an address of the range equals, or begins with. */
export type RangeTexts = { readonly equal: readonly string[] } | { readonly begins: readonly string[] }

/** Undefined unless it is an IPv4 range, such as `10.0.0.0/22`. */
export function rangeTexts(range: string): RangeTexts | undefined {
  const [address = '', length = ''] = range.split('/')
  const bits = Number(length)
  if (!isIPv4(address) || !/^\d{1,2}$/.test(length) || bits > 32) return undefined
  const octets = address.split('.').map(Number)
  const whole = Math.max(1, Math.ceil(bits / 8))
  const open = whole * 8 - bits
  const fixed = octets.slice(0, whole - 1)
  // The bits of the last octet that the range leaves open.
  const first = ((octets[whole - 1] ?? 0) >> open) << open
  const texts = Array.from({ length: 2 ** open }, (_, n) => [...fixed, first + n].join('.'))
  return whole === 4 ? { equal: texts } : { begins: texts.map((text) => `${text}.`) }
}

/**
 * The spelling in which sources are stored; what is neither an address nor a range of IPv4 addresses is a `bad-input`. With
 * `!` before it, all others are meant.
 */
export function sourceFilter(text: string, parameter: string): string {
  if (text.startsWith('!')) return `!${sourceFilter(text.slice(1), parameter)}`
  const source = canonicalRange(text.trim())
  if (source !== undefined && (!source.includes('/') || rangeTexts(source))) return source
  const wrong = `not ${JSON.stringify(text.slice(0, 60))}`
  throw invalidParameter(
    parameter,
    source === undefined
      ? `must be an address such as 192.0.2.7 or 2001:db8::7, or a range such as 192.0.2.0/24, ${wrong}`
      : `can be a range of IPv4 addresses such as 192.0.2.0/24, ${wrong}; name IPv6 addresses one by one`,
  )
}
