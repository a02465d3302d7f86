// Packets of the MySQL protocol, and the fields in them.
//
//     byte   1 … 3        4          5 …
//          ┌────────────┬──────────┬─────────┐
//          │ length, LE │ sequence │ payload │
//          └────────────┴──────────┴─────────┘
import type { Decoded, Incomplete } from '../../../session/session.ts'

export type Frame =
  | { readonly kind: 'packet'; readonly payload: Buffer; readonly length: number }
  /** The header alone: the server does not read on. */
  | { readonly kind: 'out-of-order'; readonly isProxyHeader: boolean }
  /** A part of a payload of which enough is kept already. */
  | { readonly kind: 'skipped'; readonly length: number }

/** What of the connection's state decides where a packet ends. */
export interface StreamPosition {
  /** The next sequence number of the client. */
  readonly sequence: number
  /** Payload that is still to come, behind the part that is kept. */
  readonly unread: number
}

export const HEADER_BYTES = 4
/** A login packet is shorter; of a longer one the rest is read and dropped. */
export const MAX_KEPT_BYTES = 32 * 1024
/** What a header of the PROXY protocol begins with, in both versions. */
const PROXY_HEADERS = ['PROX', '\r\n\r\n']

/** `payload` holds the first `MAX_KEPT_BYTES` of a packet of `length`. Never throws. */
export function decode(bytes: Buffer, { sequence, unread }: StreamPosition): Decoded<Frame> | Incomplete {
  if (unread > 0) {
    if (bytes.length === 0) return undefined
    const length = Math.min(unread, bytes.length)
    return { frame: { kind: 'skipped', length }, length }
  }
  if (bytes.length < HEADER_BYTES) return undefined
  if (bytes[3] !== sequence) {
    const isProxyHeader = PROXY_HEADERS.includes(bytes.toString('latin1', 0, HEADER_BYTES))
    return { frame: { kind: 'out-of-order', isProxyHeader }, length: HEADER_BYTES }
  }
  const length = bytes.readUIntLE(0, 3)
  const end = HEADER_BYTES + Math.min(length, MAX_KEPT_BYTES)
  if (bytes.length < end) return { atLeast: end }
  return { frame: { kind: 'packet', payload: bytes.subarray(HEADER_BYTES, end), length }, length: end }
}

export function packet(sequence: number, ...payload: readonly Buffer[]): Buffer {
  const body = Buffer.concat(payload)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUIntLE(body.length, 0, 3)
  header[3] = sequence & 0xff
  return Buffer.concat([header, body])
}

export const byte = (value: number): Buffer => Buffer.from([value])

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

/** Text behind which a NUL stands. */
export const zeroTerminated = (text: string): Buffer => Buffer.from(`${text}\0`, 'latin1')
