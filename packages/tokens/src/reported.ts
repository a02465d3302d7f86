// Values of a report about visits elsewhere, whose truth nobody here knows: short, printable, in one spelling.
import { isIP, SocketAddress } from 'node:net'

const MAX_CHARACTERS = 256

/** An object of JSON. */
export type Values = Readonly<Record<string, unknown>>

export const valuesOf = (value: unknown): Values | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined

/** Undefined for a text that is no JSON. */
export function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

/** A text or a number in printable characters, at most 256; empty for anything else, and for Windows' `-`. */
export function reportedText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '-') return ''
  return value.slice(0, MAX_CHARACTERS).replace(/[\p{Cc}\p{Cs}]/gu, '?')
}

/** One spelling for all of an address, IPv4-mapped IPv6 as IPv4; undefined when the text is none. */
export function readSource(text: string): string | undefined {
  const address = text.replace(/%.*$/s, '')
  const family = isIP(address)
  if (family === 0) return undefined
  if (family === 4) return address
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '')
}
