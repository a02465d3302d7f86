// Packets of MySQL's client/server protocol, up to the login.
import type { MysqlAnswer } from './visit.ts'

/**
 *   byte      0 … 2         3          4 …
 *           ┌────────────┬──────────┬─────────┐
 *           │ length, LE │ sequence │ payload │
 *           └────────────┴──────────┴─────────┘
 */
export const HEADER_BYTES = 4

export function packet(sequence: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUIntLE(payload.length, 0, 3)
  header.writeUInt8(sequence, 3)
  return Buffer.concat([header, payload])
}

/** A server cuts the text of an error there (MYSQL_ERRMSG_SIZE). */
const MESSAGE_BYTES = 511
/** The greeting is 0, the login 1; a question 2, its reply 3. */
export const SEQUENCE_AFTER_LOGIN = 2
export const SEQUENCE_AFTER_REPLY = 4

/** ERR_Packet: 0xff, the code, `#` and the SQL state, the message. */
export function errorPacket(
  { code, sqlState, message }: MysqlAnswer,
  sequence = SEQUENCE_AFTER_LOGIN,
): Buffer {
  const head = Buffer.alloc(3)
  head.writeUInt8(0xff)
  head.writeUInt16LE(code, 1)
  const text = Buffer.from(`#${sqlState}${message}`)
  return packet(sequence, Buffer.concat([head, text.subarray(0, MESSAGE_BYTES + 6)]))
}

/** The same for clients before 4.1, without a state. */
export function errorPacket320(code: number, message: string, sequence: number): Buffer {
  const head = Buffer.from([0xff, code & 0xff, code >> 8])
  return packet(sequence, Buffer.concat([head, Buffer.from(message)]))
}
