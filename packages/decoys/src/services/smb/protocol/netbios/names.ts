// The NetBIOS name service (RFC 1002, 4.2): who has a name, and which names a machine has. Over UDP, port 137.
import { join, u8, zeros } from '../../../../windows/fields.ts'

const HEADER_BYTES = 12
/** A name of 32 letters between its length and a zero. */
const NAME_BYTES = 34
/** Its type and its class. */
const TAIL_BYTES = 4
export const NAME_TYPE = { null: 0x0a, name: 0x20, status: 0x21 } as const
const INTERNET = 1
const BROADCAST = 0x0010
/** A response and its operation, whatever flags stand between. */
const KIND = 0xf800
export const GROUP = 0x80
const ACTIVE = 0x04

export interface NodeName {
  /** Up to 15 characters. */
  readonly name: string
  /** Which service has it: 0 the workstation, 0x20 the file server. */
  readonly suffix: number
  readonly isGroup?: true
}

export interface Question {
  readonly transactionId: number
  /** As it was asked, in its encoding of 34 bytes; and its 16 characters. */
  readonly name: Buffer
  readonly text: string
  readonly type: number
  readonly isInternet: boolean
  readonly isBroadcast: boolean
  /** How many questions there are, of which this is the first, and whether anything else is. */
  readonly count: number
  readonly hasMore: boolean
}

/** Undefined when it is none about a name. */
export function readQuestion(bytes: Buffer): Question | undefined {
  const end = HEADER_BYTES + NAME_BYTES
  if (bytes.length < end + TAIL_BYTES) return undefined
  const flags = bytes.readUInt16BE(2)
  const name = bytes.subarray(HEADER_BYTES, end)
  if ((flags & KIND) !== 0 || name[0] !== 32 || name[NAME_BYTES - 1] !== 0) return undefined
  return {
    transactionId: bytes.readUInt16BE(0),
    name,
    text: decodeName(name.subarray(1, NAME_BYTES - 1)),
    type: bytes.readUInt16BE(end),
    isInternet: bytes.readUInt16BE(end + 2) === INTERNET,
    isBroadcast: (flags & BROADCAST) !== 0,
    count: bytes.readUInt16BE(4),
    hasMore: bytes.readUIntBE(6, 6) !== 0,
  }
}

/** Each character is two letters, its halves counted from A (RFC 1001, 14.1). */
export const decodeName = (letters: Buffer): string =>
  Buffer.from(
    Array.from({ length: 16 }, (_, i) => (((letters[2 * i]! - 65) << 4) | (letters[2 * i + 1]! - 65)) & 0xff),
  ).toString('latin1')

const be16 = (value: number): Buffer => Buffer.from([(value >>> 8) & 0xff, value & 0xff])

interface Answer {
  readonly flags: number
  readonly type: number
  readonly ttlSeconds: number
  readonly content: Buffer
}

export const writeAnswer = (
  { transactionId, name }: Pick<Question, 'transactionId' | 'name'>,
  { flags, type, ttlSeconds, content }: Answer,
): Buffer =>
  join(
    ...[transactionId, flags, 0, 1, 0, 0].map(be16),
    name,
    ...[type, INTERNET, ttlSeconds >>> 16, ttlSeconds, content.length].map(be16),
    content,
  )

/** The answer to a node status request. `unitId`: the hardware address, behind which counters follow that stay at zero. */
export const statusAnswer = (question: Question, names: readonly NodeName[], unitId: Buffer): Buffer =>
  writeAnswer(question, {
    flags: 0x8400,
    type: NAME_TYPE.status,
    ttlSeconds: 0,
    content: join(
      u8(names.length),
      ...names.map(({ name, suffix, isGroup }) =>
        join(Buffer.from(name.padEnd(15), 'latin1'), u8(suffix), u8(ACTIVE | (isGroup ? GROUP : 0)), u8(0)),
      ),
      unitId,
      zeros(40),
    ),
  })
