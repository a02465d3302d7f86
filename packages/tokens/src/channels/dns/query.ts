// Reads a DNS query (RFC 1035, 4.1; RFC 6891). Total: any bytes are a query, an error to answer, or nothing.
import { TYPE } from './record-types.ts'

/**
 * The header, then the question; additional records may follow.
 *
 *   byte   0 … 1   2 … 3    4 … 5     6 … 7     8 … 9     10 … 11   12 …
 *         ┌──────┬────────┬─────────┬─────────┬─────────┬─────────┬──────────────────────┐
 *         │ id   │ flags  │ QDCOUNT │ ANCOUNT │ NSCOUNT │ ARCOUNT │ name, type, class    │
 *         └──────┴────────┴─────────┴─────────┴─────────┴─────────┴──────────────────────┘
 */
export const HEADER_BYTES = 12

export const FLAG = { QR: 0x8000, OPCODE: 0x7800, AA: 0x0400, TC: 0x0200, RD: 0x0100, CD: 0x0010 } as const

export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const
export type Rcode = (typeof RCODE)[keyof typeof RCODE]

const CLASS_IN = 1
const MAX_NAME_BYTES = 255
const MAX_LABEL_BYTES = 63
/** A query has an OPT record, and perhaps a signature. */
const MAX_ADDITIONAL = 4
const CLIENT_SUBNET_OPTION = 8

export interface Edns {
  /** Bytes of a UDP answer that the client takes. */
  readonly udpBytes: number
  readonly version: number
  /** The network of the client's client (RFC 7871), such as `192.0.2.0/24`. */
  readonly clientSubnet: string | undefined
}

export interface DnsQuery {
  readonly id: number
  /** RD and CD as they were sent. */
  readonly flags: number
  /** The question section, byte for byte: a resolver checks the case of its name. */
  readonly question: Buffer
  /** Labels in lower case; `\DDD` stands for an octet that is not printable, `\.` for a dot (RFC 1035, 5.1). */
  readonly labels: readonly string[]
  readonly type: number
  readonly isInternet: boolean
  readonly edns: Edns | undefined
  /** Of the whole query. */
  readonly byteLength: number
}

/** What can be answered without a question: an error. */
export interface DnsFailure {
  readonly id: number
  readonly flags: number
  readonly rcode: Rcode
}

/** Undefined for what is no query: it gets no answer, so that two servers never answer each other for ever. */
export function readQuery(message: Buffer): DnsQuery | DnsFailure | undefined {
  if (message.length < HEADER_BYTES) return undefined
  const flags = message.readUInt16BE(2)
  if ((flags & FLAG.QR) !== 0) return undefined
  const id = message.readUInt16BE(0)
  const echoed = flags & (FLAG.RD | FLAG.CD)
  const fail = (rcode: Rcode): DnsFailure => ({ id, flags: echoed | (flags & FLAG.OPCODE), rcode })
  if ((flags & FLAG.OPCODE) !== 0) return fail(RCODE.NOTIMP)
  const isOneQuestion = message.readUInt16BE(4) === 1 && message.readUInt32BE(6) === 0
  const name = isOneQuestion ? readName(message) : undefined
  if (!name || name.end + 4 > message.length) return fail(RCODE.FORMERR)
  const end = name.end + 4
  const edns = readEdns(message, end)
  if (edns === 'malformed') return fail(RCODE.FORMERR)
  return {
    id,
    flags: echoed,
    question: message.subarray(HEADER_BYTES, end),
    labels: name.labels,
    type: message.readUInt16BE(name.end),
    isInternet: message.readUInt16BE(name.end + 2) === CLASS_IN,
    edns,
    byteLength: message.length,
  }
}

/** The name of the question. It is the first of the message, so it cannot be compressed. */
function readName(message: Buffer): { labels: string[]; end: number } | undefined {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (;;) {
    const length = message[at]
    if (length === undefined || length > MAX_LABEL_BYTES) return undefined
    const end = at + 1 + length
    if (end > message.length || end - HEADER_BYTES > MAX_NAME_BYTES) return undefined
    if (length === 0) return { labels, end }
    labels.push(labelText(message.toString('latin1', at + 1, end)))
    at = end
  }
}

const labelText = (octets: string): string =>
  /^[\x21-\x2d\x2f-\x5b\x5d-\x7e]+$/.test(octets)
    ? octets.toLowerCase()
    : octets.toLowerCase().replace(/[^\x21-\x2d\x2f-\x5b\x5d-\x7e]/g, escaped)

function escaped(octet: string): string {
  return octet === '.' || octet === '\\' ? `\\${octet}` : `\\${String(octet.charCodeAt(0)).padStart(3, '0')}`
}

/**
 * The OPT record among the additional ones. Its owner is the root, its class the client's UDP size, its TTL holds the version.
 */
function readEdns(message: Buffer, start: number): Edns | undefined | 'malformed' {
  const count = message.readUInt16BE(10)
  if (count > MAX_ADDITIONAL) return 'malformed'
  let found: Edns | undefined
  let at = start
  for (let n = 0; n < count; n++) {
    const owner = skipName(message, at)
    if (owner === undefined || owner + 10 > message.length) return 'malformed'
    const end = owner + 10 + message.readUInt16BE(owner + 8)
    if (end > message.length) return 'malformed'
    if (message.readUInt16BE(owner) === TYPE.OPT) {
      if (found || owner !== at + 1) return 'malformed'
      const options = message.subarray(owner + 10, end)
      found = {
        udpBytes: message.readUInt16BE(owner + 2),
        version: message[owner + 5] ?? 0,
        clientSubnet: readClientSubnet(options),
      }
    }
    at = end
  }
  return found
}

/** Where the name that begins at `start` ends; a pointer ends it, and is not followed. */
function skipName(message: Buffer, start: number): number | undefined {
  for (let at = start; at - start <= MAX_NAME_BYTES;) {
    const length = message[at]
    if (length === undefined) return undefined
    if (length === 0) return at + 1
    if (length >= 0xc0) return at + 2
    if (length > MAX_LABEL_BYTES) return undefined
    at += 1 + length
  }
  return undefined
}

/** Family, prefix length, scope, and as many octets of the address as the prefix needs (RFC 7871, 6). */
function readClientSubnet(options: Buffer): string | undefined {
  for (let at = 0; at + 4 <= options.length;) {
    const code = options.readUInt16BE(at)
    const end = at + 4 + options.readUInt16BE(at + 2)
    if (end > options.length) return undefined
    if (code === CLIENT_SUBNET_OPTION && end - at >= 8) {
      const prefix = options[at + 6] ?? 0
      const address = options.subarray(at + 8, end)
      return subnetText(options.readUInt16BE(at + 4), prefix, address)
    }
    at = end
  }
  return undefined
}

function subnetText(family: number, prefix: number, address: Buffer): string | undefined {
  const size = family === 1 ? 4 : family === 2 ? 16 : 0
  if (prefix === 0 || prefix > size * 8 || address.length > size) return undefined
  const octets = Buffer.alloc(size)
  address.copy(octets)
  if (size === 4) return `${octets.join('.')}/${prefix}`
  const groups = Array.from({ length: 8 }, (_, group) => octets.readUInt16BE(group * 2).toString(16))
  return `${groups.join(':')}/${prefix}`
}
