// The ClientHello that begins a TLS connection (RFC 8446, 4.1.2), as far as it decides how the server answers.
//
//     byte  0     1 … 2     3 … 4     5     6 … 8     9 … 10    11 … 42   43 …
//         ┌────┬─────────┬─────────┬─────┬─────────┬─────────┬─────────┬────────────────────────────────────────┐
//         │ 22 │ version │ length  │  1  │ length  │ version │ random  │ session id, ciphers, methods, extensions│
//         └────┴─────────┴─────────┴─────┴─────────┴─────────┴─────────┴────────────────────────────────────────┘

export interface ClientHello {
  /** The highest that it offers, such as 0x0303 for TLS 1.2. */
  readonly version: number
  /** By their numbers at IANA. */
  readonly ciphers: readonly number[]
  /** SNI (RFC 6066, 3); empty if none. */
  readonly serverName: string
  /** ALPN (RFC 7301), in the client's order; `malformed`: the server ends the handshake. */
  readonly protocols: readonly string[] | 'malformed'
  /** Groups of the key exchange, by their numbers at IANA (RFC 8446, 4.2.7). */
  readonly groups: readonly number[]
  /** Those of them for which it sends a key (RFC 8446, 4.2.8). */
  readonly keyShares: readonly number[]
  /** Sessions that it would resume by TLS 1.3 (RFC 8446, 4.2.11). */
  readonly pskIdentities: readonly Buffer[]
}

const RECORD_HEADER = 5
const MAX_RECORD_BYTES = 16_384
const EMPTY = Buffer.alloc(0)
const HANDSHAKE = 22
const CLIENT_HELLO = 1
const SERVER_NAME = 0
const GROUPS = 10
const ALPN = 16
const PRE_SHARED_KEY = 41
const SUPPORTED_VERSIONS = 43
const KEY_SHARE = 51
const [TLS_1_2, TLS_1_3] = [0x0303, 0x0304]

/** `incomplete`: more bytes decide; `none`: whatever follows, this is no hello that can be read. */
export function readClientHello(bytes: Buffer): ClientHello | 'incomplete' | 'none' {
  const begins = (at: number, ...allowed: readonly number[]): boolean =>
    bytes.length <= at || allowed.includes(bytes[at]!)
  if (!begins(0, HANDSHAKE) || !begins(1, 3) || !begins(RECORD_HEADER, CLIENT_HELLO)) return 'none'
  if (bytes.length < RECORD_HEADER) return 'incomplete'
  const length = bytes.readUInt16BE(3)
  if (length > MAX_RECORD_BYTES || length === 0) return 'none'
  if (bytes.length < RECORD_HEADER + length) return 'incomplete'
  return parseHello(bytes.subarray(RECORD_HEADER, RECORD_HEADER + length)) ?? 'none'
}

/** The same hello, in one record, as if the client offered this protocol alone. */
export function withProtocol(bytes: Buffer, protocol: string): Buffer {
  const record = bytes.subarray(RECORD_HEADER, RECORD_HEADER + bytes.readUInt16BE(3))
  const list = extensionsOffset(record)
  const extensions = cursor(record.subarray(list + 2))
  const kept: Buffer[] = []
  while (extensions.left > 0) {
    const start = record.length - extensions.left
    const type = extensions.number(2)
    if (!extensions.vector(2)) break
    if (type !== ALPN) kept.push(record.subarray(start, record.length - extensions.left))
  }
  const alpn = Buffer.concat([numberOf(ALPN, 2), sized(2, sized(2, sized(1, Buffer.from(protocol))))])
  const body = Buffer.concat([record.subarray(4, list), sized(2, Buffer.concat([...kept, alpn]))])
  const message = Buffer.concat([record.subarray(0, 1), sized(3, body)])
  const rest = bytes.subarray(RECORD_HEADER + record.length)
  return Buffer.concat([bytes.subarray(0, 3), sized(2, message), rest])
}

function extensionsOffset(record: Buffer): number {
  const fields = cursor(record)
  fields.skip(4 + 2 + 32)
  for (const lengthBytes of [1, 2, 1]) fields.vector(lengthBytes)
  return record.length - fields.left
}

function numberOf(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}

const sized = (lengthBytes: number, content: Buffer): Buffer =>
  Buffer.concat([numberOf(content.length, lengthBytes), content])

function parseHello(record: Buffer): ClientHello | undefined {
  const hello = cursor(record)
  const body = hello.skip(1) && hello.vector(3)
  if (!body) return undefined
  const fields = cursor(body)
  const version = fields.number(2)
  if (version === undefined || !fields.skip(32)) return undefined
  const ciphers = fields.vector(1) && fields.vector(2)
  if (!ciphers || !fields.vector(1)) return undefined
  const extensions = extensionsOf(fields.vector(2) ?? EMPTY)
  if (!extensions) return undefined
  const { versions, ...rest } = extensions
  const known = versions.filter((offered) => offered <= TLS_1_3)
  // TLS 1.3 is offered by the extension alone (RFC 8446, 4.2.1).
  const highest = known.length > 0 ? Math.max(...known) : Math.min(version, TLS_1_2)
  return { version: highest, ciphers: numbersOf(ciphers), ...rest }
}

const numbersOf = (bytes: Buffer): readonly number[] =>
  Array.from({ length: Math.floor(bytes.length / 2) }, (_, at) => bytes.readUInt16BE(2 * at))

interface Extensions extends Omit<ClientHello, 'version' | 'ciphers'> {
  readonly versions: readonly number[]
}

function extensionsOf(bytes: Buffer): Extensions | undefined {
  const list = cursor(bytes)
  let found: Extensions = {
    serverName: '',
    protocols: [],
    groups: [],
    keyShares: [],
    pskIdentities: [],
    versions: [],
  }
  while (list.left > 0) {
    const type = list.number(2)
    const content = list.vector(2)
    if (type === undefined || !content) return undefined
    if (type === SERVER_NAME) found = { ...found, serverName: serverNameOf(content) }
    if (type === ALPN) found = { ...found, protocols: protocolsOf(content) }
    if (type === GROUPS) found = { ...found, groups: numbersOf(cursor(content).vector(2) ?? EMPTY) }
    if (type === PRE_SHARED_KEY) found = { ...found, pskIdentities: identitiesOf(content) }
    if (type === KEY_SHARE) found = { ...found, keyShares: sharesOf(content) }
    if (type === SUPPORTED_VERSIONS)
      found = { ...found, versions: numbersOf(cursor(content).vector(1) ?? EMPTY) }
  }
  return found
}

function serverNameOf(content: Buffer): string {
  const names = cursor(cursor(content).vector(2) ?? EMPTY)
  const isHostName = names.number(1) === 0
  return (isHostName && names.vector(2)?.toString('latin1')) || ''
}

function sharesOf(content: Buffer): readonly number[] {
  const shares = cursor(cursor(content).vector(2) ?? EMPTY)
  const groups: number[] = []
  for (let group = shares.number(2); group !== undefined && shares.vector(2); group = shares.number(2))
    groups.push(group)
  return groups
}

/** Each with an age of four bytes. */
function identitiesOf(content: Buffer): readonly Buffer[] {
  const list = cursor(cursor(content).vector(2) ?? EMPTY)
  const identities: Buffer[] = []
  for (let one = list.vector(2); one && list.skip(4); one = list.vector(2)) identities.push(Buffer.from(one))
  return identities
}

function protocolsOf(content: Buffer): readonly string[] | 'malformed' {
  const list = cursor(cursor(content).vector(2) ?? EMPTY)
  const names: string[] = []
  while (list.left > 0) {
    const name = list.vector(1)?.toString('latin1')
    if (!name) return 'malformed'
    names.push(name)
  }
  return names.length > 0 ? names : 'malformed'
}

/** Reads from front to back; undefined or false beyond the end. */
function cursor(bytes: Buffer) {
  let at = 0
  const number = (length: number): number | undefined => {
    if (at + length > bytes.length) return undefined
    at += length
    return bytes.readUIntBE(at - length, length)
  }
  return {
    get left() {
      return bytes.length - at
    },
    number,
    skip(length: number): boolean {
      at += length
      return at <= bytes.length
    },
    /** Content behind its length, which has so many bytes. */
    vector(lengthBytes: number): Buffer | undefined {
      const length = number(lengthBytes)
      if (length === undefined || at + length > bytes.length) return undefined
      at += length
      return bytes.subarray(at - length, at)
    },
  }
}
