// Distinguished encoding rules (ITU-T X.690): tag, length, content.
//
//     ┌─────┬────────────────────────────┬─────────┐
//     │ tag │ length: 1 byte below 128,  │ content │
//     │     │ else 0x80 + count, then BE │         │
//     └─────┴────────────────────────────┴─────────┘

export function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

export const sequence = (...content: readonly Buffer[]): Buffer => der(0x30, ...content)
export const set = (...content: readonly Buffer[]): Buffer => der(0x31, ...content)
/** A context-specific, constructed tag. */
export const explicit = (number: number, ...content: readonly Buffer[]): Buffer =>
  der(0xa0 | number, ...content)
export const octetString = (content: Buffer): Buffer => der(0x04, content)
export const bitString = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content)
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text))
/** Letters, digits and some marks (X.680, 41.4). */
export const printableString = (text: string): Buffer => der(0x13, Buffer.from(text))
export const nothing = der(0x05)
export const truth = der(0x01, Buffer.from([0xff]))

/** A number ≥ 0, big endian: without leading zeros, but with one where the first bit would mean a sign. */
export function unsigned(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0)
  const significant = start < 0 ? Buffer.from([0]) : bytes.subarray(start)
  return der(0x02, significant[0]! & 0x80 ? Buffer.concat([Buffer.from([0]), significant]) : significant)
}

/** Such as `1.2.840.113549.1.1.11`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]))
}

/** Seven bits a byte, all but the last with the top bit set. */
function base128(number: number): number[] {
  const bytes = [number & 0x7f]
  for (let left = number >> 7; left > 0; left >>= 7) bytes.unshift(0x80 | (left & 0x7f))
  return bytes
}

/** UTCTime until 2049, then GeneralizedTime (RFC 5280, 4.1.2.5). */
export function time(at: number): Buffer {
  const text = `${new Date(at).toISOString().replace(/\.\d+Z$|[-:T]/g, '')}Z`
  return Number(text.slice(0, 4)) < 2050
    ? der(0x17, Buffer.from(text.slice(2)))
    : der(0x18, Buffer.from(text))
}

/** Between lines that name what it is, in lines of 64 characters (RFC 7468). */
export const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`
