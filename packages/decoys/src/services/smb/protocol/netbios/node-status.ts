// The NetBIOS name service (RFC 1002, 4.2.17 and 4.2.18): which names a machine has. Over UDP, port 137.
import { join, u8, zeros } from '../../../../windows/fields.ts'

const HEADER_BYTES = 12
/** A name of 32 letters between its length and a zero, its type and its class. */
const QUESTION_BYTES = 38
const NBSTAT = 0x21
const INTERNET = 1
const RESPONSE = 0x84
const ACTIVE = 0x04
const GROUP = 0x80

export interface NodeName {
  /** Up to 15 characters. */
  readonly name: string
  /** Which service has it: 0 the workstation, 0x20 the file server. */
  readonly suffix: number
  readonly isGroup: boolean
}

export interface StatusQuestion {
  readonly transactionId: number
  /** As it was asked, in its encoding of 34 bytes. */
  readonly name: Buffer
}

/** A node status request; undefined when it is none, or asks for another name than `*` and those given. */
export function readStatusQuestion(bytes: Buffer, names: readonly NodeName[]): StatusQuestion | undefined {
  if (bytes.length < HEADER_BYTES + QUESTION_BYTES) return undefined
  const opcode = bytes.readUInt16BE(2) & 0xf800
  const name = bytes.subarray(HEADER_BYTES, HEADER_BYTES + 34)
  const isStatus = bytes.readUInt16BE(HEADER_BYTES + 34) === NBSTAT
  const isInternet = bytes.readUInt16BE(HEADER_BYTES + 36) === INTERNET
  if (opcode !== 0 || bytes.readUInt16BE(4) !== 1 || name[0] !== 32 || name[33] !== 0) return undefined
  if (!isStatus || !isInternet) return undefined
  const asked = decodeName(name.subarray(1, 33))
  const isOwn = asked.startsWith('*') || names.some((each) => asked.startsWith(each.name.padEnd(15)))
  return isOwn ? { transactionId: bytes.readUInt16BE(0), name } : undefined
}

/** Each character is two letters, its halves counted from A (RFC 1001, 14.1). */
export const decodeName = (letters: Buffer): string =>
  Buffer.from(
    Array.from({ length: 16 }, (_, i) => (((letters[2 * i]! - 65) << 4) | (letters[2 * i + 1]! - 65)) & 0xff),
  ).toString('latin1')

const be16 = (value: number): Buffer => Buffer.from([(value >>> 8) & 0xff, value & 0xff])

/** `unitId`: the hardware address. */
export function statusResponse(
  { transactionId, name }: StatusQuestion,
  names: readonly NodeName[],
  unitId: Buffer,
): Buffer {
  const list = names.map(({ name: text, suffix, isGroup }) =>
    join(Buffer.from(text.padEnd(15), 'latin1'), u8(suffix), u8(ACTIVE | (isGroup ? GROUP : 0)), u8(0)),
  )
  // Counters that Windows leaves at zero follow the address.
  const content = join(u8(names.length), ...list, unitId, zeros(40))
  return join(
    be16(transactionId),
    u8(RESPONSE),
    u8(0),
    be16(0),
    be16(1),
    zeros(4),
    name,
    be16(NBSTAT),
    be16(INTERNET),
    zeros(4),
    be16(content.length),
    content,
  )
}
