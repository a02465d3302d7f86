// The JA4 fingerprint of a TLS client: which library, in which version, says its first message in this way. From FoxIO's
// description (github.com/FoxIO-LLC/ja4, technical_details/JA4.md); JA4, unlike the others of its family, is free to use.
import { createHash } from 'node:crypto'

const EXTENSION = { serverName: 0x0000, signatureAlgorithms: 0x000d, alpn: 0x0010, supportedVersions: 0x002b }

/** Of versions in the ClientHello; any other is `00`. */
const VERSION_NAMES: Readonly<Record<number, string>> = {
  0x0304: '13',
  0x0303: '12',
  0x0302: '11',
  0x0301: '10',
  0x0300: 's3',
  0x0002: 's2',
}

const HASH_DIGITS = 12
/** In the place of the hash of an empty list. */
const NOTHING = '0'.repeat(HASH_DIGITS)
const MAX_COUNTED = 99

/**
 * `t13d1516h2_8daaf6152771_e5627efa2ab1`: transport, version, whether it names a server, numbers of ciphers and extensions, ALPN;
 * hash of the ciphers; hash of the extensions and the signature algorithms. `hello` is the message of RFC 8446, 4.1.2, with its
 * header; undefined where it is not that.
 */
export function ja4(hello: Buffer): string | undefined {
  const read = readFields(hello)
  if (!read) return undefined
  const { ciphers, types, extensions } = read
  const version = versionOf(read)
  const name = extensions.has(EXTENSION.serverName) ? 'd' : 'i'
  const alpn = ends(firstProtocol(extensions.get(EXTENSION.alpn)))
  const algorithms = listed(extensions.get(EXTENSION.signatureAlgorithms), 2)
  const hashed = types.filter((type) => type !== EXTENSION.serverName && type !== EXTENSION.alpn)
  return [
    `t${VERSION_NAMES[version] ?? '00'}${name}${counted(ciphers)}${counted(types)}${alpn}`,
    hashOf(sorted(ciphers)),
    hashOf(sorted(hashed), algorithms),
  ].join('_')
}

interface HelloFields {
  readonly version: number
  readonly ciphers: readonly number[]
  /** Of all extensions, without those that clients make up (GREASE). */
  readonly types: readonly number[]
  /** Their contents. */
  readonly extensions: ReadonlyMap<number, Buffer>
}

/**
 *     type 1, length 3, version 2, random 32, session (1 + n), ciphers (2 + n), compression (1 + n), extensions (2 + n)
 */
function readFields(hello: Buffer): HelloFields | undefined {
  const VERSION_AT = 4
  const SESSION_AT = VERSION_AT + 2 + 32
  const session = vector(hello, SESSION_AT, 1)
  const ciphers = session && vector(hello, session.end, 2)
  const compression = ciphers && vector(hello, ciphers.end, 1)
  if (!ciphers || !compression) return undefined
  const types: number[] = []
  const extensions = new Map<number, Buffer>()
  // Old clients end here.
  const all = vector(hello, compression.end, 2)?.content ?? Buffer.alloc(0)
  for (let at = 0; at < all.length;) {
    const extension = vector(all, at + 2, 2)
    if (!extension) return undefined
    const type = all.readUInt16BE(at)
    if (!isMadeUp(type)) types.push(type)
    extensions.set(type, extension.content)
    at = extension.end
  }
  return {
    version: hello.readUInt16BE(VERSION_AT),
    ciphers: numbers(ciphers.content),
    types,
    extensions,
  }
}

/** What follows its length, of so many bytes; undefined where it is cut off. */
function vector(bytes: Buffer, at: number, lengthBytes: 1 | 2): { content: Buffer; end: number } | undefined {
  const start = at + lengthBytes
  if (start > bytes.length) return undefined
  const end = start + bytes.readUIntBE(at, lengthBytes)
  return end > bytes.length ? undefined : { content: bytes.subarray(start, end), end }
}

/** Both bytes are equal and end in A (RFC 8701): clients send them so that servers learn to pass over what they do not know. */
const isMadeUp = (value: number): boolean => (value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff)

/** Numbers of two bytes, without the made-up ones. */
function numbers(bytes: Buffer): number[] {
  const all: number[] = []
  for (let at = 0; at + 2 <= bytes.length; at += 2) all.push(bytes.readUInt16BE(at))
  return all.filter((value) => !isMadeUp(value))
}

/** The numbers of an extension that is one list. */
const listed = (extension: Buffer | undefined, lengthBytes: 1 | 2): number[] =>
  numbers((extension && vector(extension, 0, lengthBytes)?.content) ?? Buffer.alloc(0))

/** The highest of the extension, where there is one. */
function versionOf({ version, extensions }: HelloFields): number {
  const supported = extensions.get(EXTENSION.supportedVersions)
  return supported ? Math.max(0, ...listed(supported, 1)) : version
}

/** Of ALPN (RFC 7301, 3.1); empty where there is none. */
function firstProtocol(extension: Buffer | undefined): Buffer {
  const names = extension && vector(extension, 0, 2)?.content
  return (names && vector(names, 0, 1)?.content) ?? Buffer.alloc(0)
}

/** The first and the last character; where one of them is no letter and no digit, those of the bytes in hex. */
function ends(protocol: Buffer): string {
  const text = protocol.toString('latin1')
  const [first, last] = [text.at(0), text.at(-1)]
  if (first === undefined || last === undefined) return '00'
  const hex = protocol.toString('hex')
  return /^[A-Za-z0-9]{2}$/.test(first + last) ? first + last : hex.slice(0, 1) + hex.slice(-1)
}

const counted = ({ length }: readonly number[]): string =>
  String(Math.min(length, MAX_COUNTED)).padStart(2, '0')

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

const inHex = (values: readonly number[]): string =>
  values.map((value) => value.toString(16).padStart(4, '0')).join(',')

/** Of the list, and of another behind an underscore, if that has anything. */
function hashOf(values: readonly number[], others: readonly number[] = []): string {
  if (values.length === 0) return NOTHING
  const text = others.length === 0 ? inHex(values) : `${inHex(values)}_${inHex(others)}`
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS)
}
