// The Direct TCP transport ([MS-SMB2] 2.1): how messages lie in the stream.
//
//   byte    0          1 … 3        4 …
//        ┌──────┬──────────────┬─────────┐
//        │ zero │ length, BE   │ message │
//        └──────┴──────────────┴─────────┘
import type { Decoded, Incomplete } from '../../../../session/session.ts'
import { KEEP_ALIVE } from '../netbios/session-request.ts'
import type { Content } from '../../../../windows/fields.ts'
import { COMMAND, HEADER_BYTES, writeHeader, type Header } from './header.ts'

/** Longest message that is buffered; only the content of a write may be longer, and that is discarded as it comes. */
export const MAX_MESSAGE_BYTES = 128 * 1024
/** MaxTransactSize of the negotiation, and room for the headers: no message may be longer. */
const MAX_WIRE_BYTES = 1024 * 1024 + 256
const TRANSPORT_BYTES = 4
const WRITE_BYTES = HEADER_BYTES + 48

export type SmbFrame =
  /** One or several messages of SMB2, compounded. */
  | { readonly kind: 'smb2'; readonly message: Buffer }
  | { readonly kind: 'smb1'; readonly message: Buffer }
  /** The head of a write whose content is not kept; `rest` bytes follow. */
  | { readonly kind: 'long-write'; readonly message: Buffer; readonly rest: number }
  /** Bytes of such a content. */
  | { readonly kind: 'discarded'; readonly bytes: number }
  /** An encrypted or compressed message, or none at all: the server closes. */
  | { readonly kind: 'unreadable' }

/**
 * Reads one frame from the front. `discard`: how many bytes of a write's content are still to come. `isNetbios`: keep-alives
 * may come between messages.
 */
export function decodeFrame(
  bytes: Buffer,
  discard: number,
  isNetbios = false,
): Decoded<SmbFrame> | Incomplete {
  if (discard > 0) return discardedFrom(bytes, discard)
  if (bytes.length < TRANSPORT_BYTES) return undefined
  const length = bytes.readUIntBE(1, 3)
  if (isNetbios && bytes[0] === KEEP_ALIVE && length === 0)
    return { frame: { kind: 'discarded', bytes: 0 }, length: TRANSPORT_BYTES }
  const unreadable = { frame: { kind: 'unreadable' } as const, length: bytes.length }
  if (bytes[0] !== 0 || length < 4 || length > MAX_WIRE_BYTES) return unreadable
  if (length > MAX_MESSAGE_BYTES) return longWrite(bytes, length) ?? unreadable
  const end = TRANSPORT_BYTES + length
  if (bytes.length < end) return { atLeast: end }
  const message = bytes.subarray(TRANSPORT_BYTES, end)
  const kind = kindOf(message)
  return { frame: kind ? { kind, message } : { kind: 'unreadable' }, length: end }
}

function kindOf(message: Buffer): 'smb2' | 'smb1' | undefined {
  if (message.toString('latin1', 1, 4) !== 'SMB') return undefined
  if (message[0] === 0xfe && message.length >= HEADER_BYTES) return 'smb2'
  return message[0] === 0xff ? 'smb1' : undefined
}

function discardedFrom(bytes: Buffer, discard: number): Decoded<SmbFrame> {
  const length = Math.min(bytes.length, discard)
  return length === 0 ? undefined : { frame: { kind: 'discarded', bytes: length }, length }
}

/** The head of a message that is too long to buffer, if it is a single write. */
function longWrite(bytes: Buffer, length: number): Decoded<SmbFrame> | Incomplete {
  const end = TRANSPORT_BYTES + WRITE_BYTES
  if (bytes.length < end) return { atLeast: end }
  const message = bytes.subarray(TRANSPORT_BYTES, end)
  const isWrite = kindOf(message) === 'smb2' && message.readUInt16LE(12) === COMMAND.write
  if (!isWrite || message.readUInt32LE(20) !== 0) return undefined
  return { frame: { kind: 'long-write', message, rest: length - WRITE_BYTES }, length: end }
}

export interface Answer {
  readonly header: Header
  readonly body: Content
}

/** Each message of a compound but the last is a multiple of this ([MS-SMB2] 3.3.4.1.3). */
const COMPOUND_UNIT = 8

/** The frame of one message or a compound, in one buffer. `sign` is called with each message in its place. */
export function writeFrame(answers: readonly Answer[], sign: (message: Buffer) => void): Buffer {
  const lengths = answers.map(({ body }, i) => {
    const length = HEADER_BYTES + body.length
    return i === answers.length - 1 ? length : Math.ceil(length / COMPOUND_UNIT) * COMPOUND_UNIT
  })
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const frame = Buffer.allocUnsafe(TRANSPORT_BYTES + total)
  frame.writeUInt32BE(total)
  let at = TRANSPORT_BYTES
  for (const [i, { header, body }] of answers.entries()) {
    const isLast = i === answers.length - 1
    const message = frame.subarray(at, at + lengths[i]!)
    writeHeader({ ...header, nextCommand: isLast ? 0 : message.length }).copy(message)
    body.copy(message, HEADER_BYTES)
    message.fill(0, HEADER_BYTES + body.length)
    sign(message)
    at += message.length
  }
  return frame
}

/** A message in one buffer, filled up with zeros to a multiple of `unit`. */
export function writeMessage(header: Header, body: Content, unit = 1): Buffer {
  const message = Buffer.alloc(Math.ceil((HEADER_BYTES + body.length) / unit) * unit)
  writeHeader(header).copy(message)
  body.copy(message, HEADER_BYTES)
  return message
}

export function encodeFrame(message: Buffer): Buffer {
  const head = Buffer.allocUnsafe(TRANSPORT_BYTES)
  head.writeUInt32BE(message.length)
  return Buffer.concat([head, message])
}
