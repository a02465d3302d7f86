// Packets of TDS ([MS-TDS] 2.2.3).
//
//     byte   1      2        3 … 4        5 … 6      7           8        9 …
//          ┌──────┬────────┬────────────┬──────────┬───────────┬────────┬─────────┐
//          │ type │ status │ length, BE │ SPID, BE │ packet id │ window │ payload │
//          └──────┴────────┴────────────┴──────────┴───────────┴────────┴─────────┘
import type { Decoded, Incomplete } from '../../../session/session.ts'

/** Those that a client may begin with (2.2.3.1.1); after anything else the server closes. */
export const PACKET = { oldLogin: 0x02, login: 0x10, sspi: 0x11, prelogin: 0x12 } as const
export const TABULAR_RESULT = 0x04

/** Bits of the status (2.2.3.1.2). */
export const STATUS = { endOfMessage: 0x01, ignore: 0x02 } as const

export const HEADER_BYTES = 8
/** The most that a packet may have (2.2.3.1.3). */
export const MAX_PACKET_BYTES = 32_767
/** What a packet has at most until client and server agree on another size (2.2.3.1.3). */
export const DEFAULT_PACKET_BYTES = 4_096

export type Frame =
  | { readonly kind: 'packet'; readonly type: number; readonly status: number; readonly payload: Buffer }
  | { readonly kind: 'malformed' }
  /** The first byte of a TLS record, with which TDS 8.0 begins (3.3.5.1). */
  | { readonly kind: 'hello' }

const KNOWN: readonly number[] = Object.values(PACKET)
const MALFORMED: Frame = { kind: 'malformed' }
export const HANDSHAKE_RECORD = 0x16

/**
 * A header with another type or an impossible length is malformed at once: the server does not wait for the rest.
 * `mayBeHello`: TLS may begin here.
 */
export function decode(bytes: Buffer, mayBeHello = false): Decoded<Frame> | Incomplete {
  if (mayBeHello && bytes[0] === HANDSHAKE_RECORD) return { frame: { kind: 'hello' }, length: 1 }
  if (bytes.length < HEADER_BYTES) return { atLeast: HEADER_BYTES }
  const [type = 0, status = 0] = bytes
  const length = bytes.readUInt16BE(2)
  if (!KNOWN.includes(type) || length < HEADER_BYTES || length > MAX_PACKET_BYTES)
    return { frame: MALFORMED, length: bytes.length }
  if (bytes.length < length) return { atLeast: length }
  return { frame: { kind: 'packet', type, status, payload: bytes.subarray(HEADER_BYTES, length) }, length }
}

/** A message in as many packets as it takes; their ids count from 1. */
export function packets(type: number, payload: Buffer, spid = 0): Buffer {
  const room = DEFAULT_PACKET_BYTES - HEADER_BYTES
  const count = Math.max(1, Math.ceil(payload.length / room))
  return Buffer.concat(
    Array.from({ length: count }, (_, i) => {
      const part = payload.subarray(i * room, (i + 1) * room)
      const header = Buffer.from([
        type,
        i === count - 1 ? STATUS.endOfMessage : 0,
        0,
        0,
        0,
        0,
        (i + 1) & 0xff,
        0,
      ])
      header.writeUInt16BE(HEADER_BYTES + part.length, 2)
      header.writeUInt16BE(spid, 4)
      return Buffer.concat([header, part])
    }),
  )
}
