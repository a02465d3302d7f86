// The ClientHello that begins a TLS connection (RFC 8446, 4.1.2), as far as it decides how the server answers.
//
//     byte  0     1 … 2     3 … 4     5     6 … 8     9 … 10    11 … 42   43 …
//         ┌────┬─────────┬─────────┬─────┬─────────┬─────────┬─────────┬────────────────────────────────────────┐
//         │ 22 │ version │ length  │  1  │ length  │ version │ random  │ session id, ciphers, methods, extensions│
//         └────┴─────────┴─────────┴─────┴─────────┴─────────┴─────────┴────────────────────────────────────────┘

export interface ClientHello {
  /** `legacy_version`: 0x0303 from TLS 1.2 on. */
  readonly version: number
  /** By their numbers at IANA. */
  readonly ciphers: readonly number[]
  /** SNI (RFC 6066, 3); empty if none. */
  readonly serverName: string
  /** ALPN (RFC 7301), in the client's order. */
  readonly protocols: readonly string[]
}

const RECORD_HEADER = 5
const MOST_RECORD_BYTES = 16_384
const HANDSHAKE = 22
const CLIENT_HELLO = 1
const SERVER_NAME = 0
const ALPN = 16

/** `incomplete`: more bytes decide; `none`: whatever follows, this is no hello that can be read. */
export function readClientHello(bytes: Buffer): ClientHello | 'incomplete' | 'none' {
  const begins = (at: number, ...allowed: readonly number[]): boolean =>
    bytes.length <= at || allowed.includes(bytes[at]!)
  if (!begins(0, HANDSHAKE) || !begins(1, 3) || !begins(RECORD_HEADER, CLIENT_HELLO)) return 'none'
  if (bytes.length < RECORD_HEADER) return 'incomplete'
  const length = bytes.readUInt16BE(3)
  if (length > MOST_RECORD_BYTES || length === 0) return 'none'
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
  const extensions = extensionsOf(fields.vector(2) ?? Buffer.alloc(0))
  return extensions && { version, ciphers: numbersOf(ciphers), ...extensions }
}

const numbersOf = (bytes: Buffer): readonly number[] =>
  Array.from({ length: Math.floor(bytes.length / 2) }, (_, at) => bytes.readUInt16BE(2 * at))

function extensionsOf(bytes: Buffer): Omit<ClientHello, 'version' | 'ciphers'> | undefined {
  const list = cursor(bytes)
  const found = { serverName: '', protocols: [] as readonly string[] }
  while (list.left > 0) {
    const type = list.number(2)
    const content = list.vector(2)
    if (type === undefined || !content) return undefined
    if (type === SERVER_NAME) found.serverName = serverNameOf(content)
    if (type === ALPN) found.protocols = protocolsOf(content)
  }
  return found
}

function serverNameOf(content: Buffer): string {
  const names = cursor(cursor(content).vector(2) ?? Buffer.alloc(0))
  const isHostName = names.number(1) === 0
  return (isHostName && names.vector(2)?.toString('latin1')) || ''
}

function protocolsOf(content: Buffer): readonly string[] {
  const list = cursor(cursor(content).vector(2) ?? Buffer.alloc(0))
  const names: string[] = []
  for (let name = list.vector(1); name; name = list.vector(1)) names.push(name.toString('latin1'))
  return names
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
