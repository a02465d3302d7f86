// Frames of Modbus over TCP (MODBUS Messaging on TCP/IP Implementation Guide 1.0b, 3.1).
import type { Decoded, Incomplete } from '../../../session/session.ts'

/**
 *     0       2        4        6      7
 *     ┌───────┬────────┬────────┬──────┬─────────────────────┐
 *     │ trans-│ proto- │ length │ unit │ function, its data  │
 *     │ action│ col: 0 │ from → │      │ at most 253 bytes   │
 *     └───────┴────────┴────────┴──────┴─────────────────────┘
 */
export interface Request {
  readonly transaction: number
  readonly unit: number
  readonly code: number
  readonly data: Buffer
  /** Another protocol, or a length that none has: what follows cannot be found. */
  readonly isForeign: boolean
}

const HEAD_BYTES = 7
const MIN_LENGTH = 2
const MAX_LENGTH = 254
export const MAX_FRAME_BYTES = 260

export function decode(bytes: Buffer): Decoded<Request> | Incomplete {
  if (bytes.length <= HEAD_BYTES) return { atLeast: HEAD_BYTES + 1 }
  const length = bytes.readUInt16BE(4)
  const isForeign = bytes.readUInt16BE(2) !== 0 || length < MIN_LENGTH || length > MAX_LENGTH
  const end = isForeign ? bytes.length : HEAD_BYTES - 1 + length
  if (bytes.length < end) return { atLeast: end }
  const [unit, code] = [bytes[6]!, bytes[7]!]
  const data = Buffer.from(bytes.subarray(HEAD_BYTES + 1, end))
  return { frame: { transaction: bytes.readUInt16BE(0), unit, code, data, isForeign }, length: end }
}

export function encode({ transaction, unit }: Request, pdu: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt16BE(transaction, 0)
  head.writeUInt16BE(pdu.length + 1, 4)
  head[6] = unit
  return Buffer.concat([head, pdu])
}
