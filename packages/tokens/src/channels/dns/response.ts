// Writes a DNS response. Names of our zone are compressed: each ends in a pointer into the question.
import { FLAG, HEADER_BYTES, RCODE, type DnsFailure, type DnsQuery, type Rcode } from './query.ts'
import { TYPE } from './record-types.ts'

/** Labels in front of the zone's name; none for the zone itself. */
export type ZoneName = readonly string[]

export interface DnsRecord {
  readonly owner: 'question' | ZoneName
  readonly type: number
  readonly ttl: number
  readonly value: readonly (Uint8Array | ZoneName)[]
}

export interface DnsResponse {
  readonly rcode: Rcode
  readonly isAuthoritative: boolean
  readonly answers: readonly DnsRecord[]
  readonly authorities: readonly DnsRecord[]
  readonly additional: readonly DnsRecord[]
}

export interface WireOptions {
  /** Labels of the zone to which the question belongs; 0 outside all zones. */
  readonly zoneLabels: number
  /** TCP has no limit but the frame's. */
  readonly transport: 'udp' | 'tcp'
}

/** The largest UDP answer that passes most networks unfragmented (DNS flag day 2020). */
export const MAX_UDP_BYTES = 1_232
/** Without EDNS (RFC 1035, 4.2.1). */
const MIN_UDP_BYTES = 512
/** A forged source address must not turn a query into a flood. */
const MAX_AMPLIFICATION = 4
const OPT_BYTES = 11
const CLASS_IN = 1

/** A response that consists of its header alone. */
export function writeFailure({ id, flags, rcode }: DnsFailure): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(FLAG.QR | flags | rcode, 2)
  return header
}

/** A UDP response that would be too large has no records and the flag TC: the client asks again by TCP. */
export function writeResponse(query: DnsQuery, response: DnsResponse, options: WireOptions): Buffer {
  const records = [...response.answers, ...response.authorities, ...response.additional]
  let length = HEADER_BYTES + query.question.length + (query.edns ? OPT_BYTES : 0)
  for (const record of records) length += recordLength(record)
  if (options.transport === 'udp' && length > mostUdpBytes(query)) return truncated(query, response)
  const message = Buffer.allocUnsafe(length)
  const zone = HEADER_BYTES + zoneOffset(query, options.zoneLabels)
  let at = writeHead(message, query, response)
  for (const record of records) at = writeRecord(message, at, record, zone)
  writeOpt(message, at, query, response.rcode)
  return message
}

/** The answer to a UDP query that asks the client to come back by TCP, where it cannot forge its address. */
export function truncated(
  query: DnsQuery,
  { rcode, isAuthoritative }: Pick<DnsResponse, 'rcode' | 'isAuthoritative'>,
): Buffer {
  const message = Buffer.allocUnsafe(HEADER_BYTES + query.question.length + (query.edns ? OPT_BYTES : 0))
  const empty = { rcode, isAuthoritative, answers: [], authorities: [], additional: [] }
  const at = writeHead(message, query, empty, FLAG.TC)
  writeOpt(message, at, query, rcode)
  return message
}

function mostUdpBytes({ edns, byteLength }: DnsQuery): number {
  const taken = Math.max(MIN_UDP_BYTES, edns?.udpBytes ?? MIN_UDP_BYTES)
  return Math.min(taken, MAX_UDP_BYTES, MAX_AMPLIFICATION * byteLength)
}

/** Header and question; answers where the records begin. */
function writeHead(
  message: Buffer,
  { id, flags, question, edns }: DnsQuery,
  { rcode, isAuthoritative, answers, authorities, additional }: DnsResponse,
  truncation = 0,
): number {
  message.writeUInt16BE(id, 0)
  message.writeUInt16BE(FLAG.QR | (isAuthoritative ? FLAG.AA : 0) | truncation | flags | (rcode & 0xf), 2)
  message.writeUInt16BE(1, 4)
  message.writeUInt16BE(answers.length, 6)
  message.writeUInt16BE(authorities.length, 8)
  message.writeUInt16BE(additional.length + (edns ? 1 : 0), 10)
  message.set(question, HEADER_BYTES)
  return HEADER_BYTES + question.length
}

/** Only if asked (RFC 6891, 6.1.1): root, OPT, our UDP size, the upper bits of the code, version 0, no options. */
function writeOpt(message: Buffer, at: number, { edns }: DnsQuery, rcode: Rcode): void {
  if (!edns) return
  message.fill(0, at, at + OPT_BYTES)
  message.writeUInt16BE(TYPE.OPT, at + 1)
  message.writeUInt16BE(MAX_UDP_BYTES, at + 3)
  message[at + 5] = rcode >> 4
}

/** Where the zone's name begins within the question's. */
function zoneOffset({ question, labels }: DnsQuery, zoneLabels: number): number {
  let at = 0
  for (let left = labels.length - zoneLabels; left > 0; left--) at += 1 + (question[at] ?? 0)
  return at
}

/** Type, class, time to live and length of the content. */
const FIXED_BYTES = 10
/** A pointer to a name that stands earlier in the message (RFC 1035, 4.1.4). */
const POINTER_BYTES = 2

function recordLength({ owner, value }: DnsRecord): number {
  return (owner === 'question' ? POINTER_BYTES : partLength(owner)) + FIXED_BYTES + contentLength(value)
}

function contentLength(value: DnsRecord['value']): number {
  let length = 0
  for (const part of value) length += partLength(part)
  return length
}

function partLength(part: Uint8Array | ZoneName): number {
  if (part instanceof Uint8Array) return part.length
  let length = POINTER_BYTES
  for (const label of part) length += 1 + label.length
  return length
}

/** `zone`: where the zone's name stands in the message. Answers where the next record begins. */
function writeRecord(message: Buffer, start: number, record: DnsRecord, zone: number): number {
  const { owner, type, ttl, value } = record
  let at =
    owner === 'question'
      ? message.writeUInt16BE(POINTER | HEADER_BYTES, start)
      : writePart(message, start, owner, zone)
  at = message.writeUInt16BE(type, at)
  at = message.writeUInt16BE(CLASS_IN, at)
  at = message.writeUInt32BE(ttl, at)
  at = message.writeUInt16BE(contentLength(value), at)
  for (const part of value) at = writePart(message, at, part, zone)
  return at
}

const POINTER = 0xc000

function writePart(message: Buffer, start: number, part: Uint8Array | ZoneName, zone: number): number {
  let at = start
  if (part instanceof Uint8Array) {
    message.set(part, at)
    return at + part.length
  }
  for (const label of part) {
    at = message.writeUInt8(label.length, at)
    at += message.write(label, at, 'latin1')
  }
  return message.writeUInt16BE(POINTER | zone, at)
}

/** Of a question that is not ours, or that asks for something that we do not do. */
export const refusal = (rcode: Rcode = RCODE.REFUSED): DnsResponse => ({
  rcode,
  isAuthoritative: false,
  answers: [],
  authorities: [],
  additional: [],
})
