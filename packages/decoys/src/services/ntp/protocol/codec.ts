// Datagrams of NTP: RFC 5905 (6, 7.3) for time, RFC 9327 for control messages, mode 6.
//
//   0        1          2          4        6             8        10      12
//   ┌────────┬──────────┬──────────┬────────┬─────────────┬────────┬───────┬──────────────┐
//   │LI VN  6│ R E M op │ sequence │ status │ association │ offset │ count │ data, padded │
//   └────────┴──────────┴──────────┴────────┴─────────────┴────────┴───────┴──────────────┘
import type { Decoded } from '../../../session/session.ts'

export interface Control {
  readonly kind: 'control'
  readonly header: Buffer
  readonly opcode: number
  readonly association: number
  /** Latin1; undefined: the datagram holds less, or is no multiple of four bytes. */
  readonly data: string | undefined
  /** A response, an error, or a part of something: nobody answers it. */
  readonly isOdd: boolean
}

/** `private` is mode 7, `other` what has no answer and is no question. */
export type Datagram =
  | Control
  | { readonly kind: 'time' | 'private' | 'short control' | 'other'; readonly bytes: Buffer }

const TIME_BYTES = 48
const HEADER_BYTES = 12
/** Of data in one datagram; the rest comes in further ones. */
const FRAGMENT_BYTES = 468
const [RESPONSE, ERROR, MORE] = [0x80, 0x40, 0x20]
const SECONDS_TO_1970 = 2_208_988_800

/** Never throws. */
export const decode = (bytes: Buffer): Decoded<Datagram> =>
  bytes.length === 0 ? undefined : { frame: read(Buffer.from(bytes)), length: bytes.length }

function read(bytes: Buffer): Datagram {
  const [version, mode] = [(bytes[0]! >> 3) & 7, bytes[0]! & 7]
  if (mode === 7) return { kind: 'private', bytes }
  if (mode !== 6) {
    // Version 1 has no modes; some of its clients say 0 or 1.
    const isClient = mode === 3 || (mode < 2 && version === 1)
    const isKnown = isClient && version >= 1 && version <= 4 && bytes.length === TIME_BYTES
    return { kind: isKnown ? 'time' : 'other', bytes }
  }
  if (bytes.length < HEADER_BYTES) return { kind: 'short control', bytes }
  const [flags, end] = [bytes[1]!, HEADER_BYTES + bytes.readUInt16BE(10)]
  const isWhole = bytes.length % 4 === 0 && bytes.length >= end
  return {
    kind: 'control',
    header: bytes.subarray(0, HEADER_BYTES),
    opcode: flags & 0x1f,
    association: bytes.readUInt16BE(6),
    data: isWhole ? bytes.toString('latin1', HEADER_BYTES, end) : undefined,
    isOdd: version < 1 || version > 4 || flags >= MORE || bytes.readUInt16BE(8) !== 0,
  }
}

/** The datagrams of an answer. */
export function response(to: Control, status: number, data: string | Buffer = ''): readonly Buffer[] {
  const bytes = Buffer.from(data as string)
  const last = Math.floor(Math.max(0, bytes.length - 1) / FRAGMENT_BYTES)
  return Array.from({ length: last + 1 }, (_, part) => {
    const offset = part * FRAGMENT_BYTES
    const piece = bytes.subarray(offset, offset + FRAGMENT_BYTES)
    return message(to, RESPONSE | (part < last ? MORE : 0), status, piece, offset)
  })
}

export const errorResponse = (to: Control, code: number): readonly Buffer[] => [
  message(to, RESPONSE | ERROR, code << 8, Buffer.alloc(0), 0),
]

function message({ header, opcode }: Control, flags: number, status: number, data: Buffer, offset: number) {
  const bytes = Buffer.concat([header, data, Buffer.alloc(-data.length & 3)])
  bytes[0]! &= 0x3f
  bytes[1] = flags | opcode
  bytes.writeUInt16BE(status, 4)
  bytes.writeUInt16BE(offset, 8)
  bytes.writeUInt16BE(data.length, 10)
  return bytes
}

/** Seconds since 1900 and their fraction, of milliseconds UTC and nanoseconds of the next one. */
export function timestamp(ms: number, nanoseconds = 0): Buffer {
  const bytes = Buffer.alloc(8)
  const seconds = Math.floor(ms / 1_000)
  bytes.writeUInt32BE((seconds + SECONDS_TO_1970) % 2 ** 32)
  const fraction = (ms - 1_000 * seconds) / 1_000 + nanoseconds / 1e9
  bytes.writeUInt32BE(Math.min(Math.floor(fraction * 2 ** 32), 2 ** 32 - 1), 4)
  return bytes
}
