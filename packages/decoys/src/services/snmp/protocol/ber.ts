// The part of BER (X.690) that SNMP has (RFC 3417, 8), as net-snmp reads it: definite lengths, also longer than need be.

export const TAG = {
  integer: 0x02,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  address: 0x40,
  counter32: 0x41,
  gauge32: 0x42,
  ticks: 0x43,
  opaque: 0x44,
  counter64: 0x46,
  noSuchObject: 0x80,
  noSuchInstance: 0x81,
  endOfMibView: 0x82,
} as const

/** Sub-identifiers as they are encoded: the first has two arcs in it. */
export type Oid = readonly number[]

export interface Element {
  readonly tag: number
  readonly value: Buffer
}

/** What cannot be read: the datagram is dropped. */
export class NoMessage extends Error {}

/** Reads elements one after another; throws `NoMessage`. */
export interface Reader {
  readonly isAtEnd: () => boolean
  /** Any element, or one with this tag. */
  readonly next: (tag?: number) => Element
  readonly integer: () => number
  readonly octets: () => Buffer
  readonly sequence: () => Reader
}

const MAX_LENGTH_BYTES = 8

export function readerOf(bytes: Buffer): Reader {
  let at = 0
  const next = (tag?: number): Element => {
    if (at + 2 > bytes.length) throw new NoMessage()
    const found = bytes[at]!
    const first = bytes[at + 1]!
    const extra = first < 0x80 ? 0 : first & 0x7f
    const from = at + 2 + extra
    if (first === 0x80 || extra > MAX_LENGTH_BYTES || from > bytes.length) throw new NoMessage()
    let length = extra === 0 ? first : 0
    for (const byte of bytes.subarray(at + 2, from)) length = length * 256 + byte
    if (from + length > bytes.length || (tag !== undefined && tag !== found)) throw new NoMessage()
    at = from + length
    return { tag: found, value: bytes.subarray(from, at) }
  }
  return {
    isAtEnd: () => at >= bytes.length,
    next,
    integer: () => integerOf(next(TAG.integer).value),
    octets: () => next(TAG.octets).value,
    sequence: () => readerOf(next(TAG.sequence).value),
  }
}

/** Of eight bytes the last four: they are a long, of which SNMP knows 32 bits. */
function integerOf(value: Buffer): number {
  if (value.length < 1 || value.length > 8) throw new NoMessage()
  return value.length <= 4 ? value.readIntBE(0, value.length) : value.readInt32BE(value.length - 4)
}

const MAX_ARCS = 128
const MAX_ARC = 0xffff_ffff

export function oidOf(value: Buffer): Oid {
  const oid: number[] = []
  let arc = 0
  let isWithin = false
  for (const byte of value) {
    arc = arc * 128 + (byte & 0x7f)
    if (arc > MAX_ARC) throw new NoMessage()
    isWithin = byte >= 0x80
    if (isWithin) continue
    oid.push(arc)
    arc = 0
  }
  if (isWithin || oid.length >= MAX_ARCS) throw new NoMessage()
  return oid.length === 0 ? [0] : oid
}

/** `1.3.6.1` as it is encoded. */
export function oid(text: string): Oid {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return [first * 40 + second, ...rest]
}

export function oidText([first = 0, ...rest]: Oid): string {
  const top = Math.min(2, Math.floor(first / 40))
  return [top, first - top * 40, ...rest].join('.')
}

export function compareOids(a: Oid, b: Oid): number {
  const shared = Math.min(a.length, b.length)
  for (let at = 0; at < shared; at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!
  return a.length - b.length
}

export function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), ...parts])
}

/** In as few bytes as it takes. */
export function integer(value: number, tag: number = TAG.integer): Buffer {
  let size = 1
  while (size < 6 && (value < -(2 ** (8 * size - 1)) || value >= 2 ** (8 * size - 1))) size += 1
  const bytes = Buffer.alloc(size)
  bytes.writeIntBE(value, 0, size)
  return element(tag, bytes)
}

export const octets = (value: Buffer | string): Buffer => element(TAG.octets, Buffer.from(value))

export function encodeOid(arcs: Oid): Buffer {
  const bytes: number[] = []
  for (const arc of arcs) {
    const groups = [arc % 128]
    for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128))
      groups.unshift((rest % 128) + 128)
    bytes.push(...groups)
  }
  return element(TAG.oid, Buffer.from(bytes))
}

export const nothing = (tag: number): Buffer => element(tag)
