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
  const { answers, authorities, additional } = response
  const zone = pointer(HEADER_BYTES + zoneOffset(query, options.zoneLabels))
  const sections = [answers, authorities, additional].map((records) =>
    records.map((record) => recordBytes(record, zone)),
  )
  const size = HEADER_BYTES + query.question.length + (query.edns ? OPT_BYTES : 0)
  const length = sections.flat().reduce((sum, bytes) => sum + bytes.length, size)
  if (options.transport === 'udp' && length > mostUdpBytes(query)) return truncated(query, response)
  return Buffer.concat([
    ...head(query, response, sections),
    ...sections.flat(),
    ...opt(query, response.rcode),
  ])
}

/** The answer to a UDP query that asks the client to come back by TCP, where it cannot forge its address. */
export const truncated = (
  query: DnsQuery,
  response: Pick<DnsResponse, 'rcode' | 'isAuthoritative'>,
): Buffer => Buffer.concat([...head(query, response, [], FLAG.TC), ...opt(query, response.rcode)])

function mostUdpBytes({ edns, byteLength }: DnsQuery): number {
  const taken = Math.max(MIN_UDP_BYTES, edns?.udpBytes ?? MIN_UDP_BYTES)
  return Math.min(taken, MAX_UDP_BYTES, MAX_AMPLIFICATION * byteLength)
}

function head(
  { id, flags, question, edns }: DnsQuery,
  { rcode, isAuthoritative }: Pick<DnsResponse, 'rcode' | 'isAuthoritative'>,
  [answers = [], authorities = [], additional = []]: readonly (readonly Buffer[])[],
  truncation = 0,
): Buffer[] {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(FLAG.QR | (isAuthoritative ? FLAG.AA : 0) | truncation | flags | (rcode & 0xf), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  header.writeUInt16BE(authorities.length, 8)
  header.writeUInt16BE(additional.length + (edns ? 1 : 0), 10)
  return [header, question]
}

/** Only if asked (RFC 6891, 6.1.1): root, OPT, our UDP size, the upper bits of the code, version 0, no options. */
function opt({ edns }: DnsQuery, rcode: Rcode): Buffer[] {
  if (!edns) return []
  const record = Buffer.alloc(OPT_BYTES)
  record.writeUInt16BE(TYPE.OPT, 1)
  record.writeUInt16BE(MAX_UDP_BYTES, 3)
  record[5] = rcode >> 4
  return [record]
}

/** Where the zone's name begins within the question's. */
function zoneOffset({ question, labels }: DnsQuery, zoneLabels: number): number {
  let at = 0
  for (let left = labels.length - zoneLabels; left > 0; left--) at += 1 + (question[at] ?? 0)
  return at
}

function recordBytes({ owner, type, ttl, value }: DnsRecord, zone: Buffer): Buffer {
  const name = owner === 'question' ? pointer(HEADER_BYTES) : nameBytes(owner, zone)
  const content = Buffer.concat(
    value.map((part) => (part instanceof Uint8Array ? part : nameBytes(part, zone))),
  )
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(CLASS_IN, 2)
  fixed.writeUInt32BE(ttl, 4)
  fixed.writeUInt16BE(content.length, 8)
  return Buffer.concat([name, fixed, content])
}

/** To a name that stands earlier in the message (RFC 1035, 4.1.4). */
const pointer = (offset: number): Buffer => Buffer.from([0xc0 | (offset >> 8), offset & 0xff])

const nameBytes = (labels: ZoneName, zone: Buffer): Buffer =>
  Buffer.concat([...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)), zone])

/** Of a question that is not ours, or that asks for something that we do not do. */
export const refusal = (rcode: Rcode = RCODE.REFUSED): DnsResponse => ({
  rcode,
  isAuthoritative: false,
  answers: [],
  authorities: [],
  additional: [],
})
