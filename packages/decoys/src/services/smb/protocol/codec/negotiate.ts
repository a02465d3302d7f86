// NEGOTIATE ([MS-SMB2] 2.2.3 and 2.2.4) with the contexts of 3.1.1.
import { aligned, join, reader, u16, u32, u64, zeros, type Reader } from '../../../../windows/fields.ts'
import { COMMAND, HEADER_BYTES } from './header.ts'
import { DIALECT } from './dialect.ts'
import { bodyReader } from './messages.ts'

/** In the answer to an SMB1 negotiation that offers more than 2.0.2. */
export const WILDCARD = 0x02ff

export const CAPABILITY = {
  dfs: 1,
  leasing: 2,
  largeMtu: 4,
  multiChannel: 8,
  persistentHandles: 0x10,
  directoryLeasing: 0x20,
  encryption: 0x40,
} as const

export const SIGNING_ENABLED = 1
export const SIGNING_REQUIRED = 2
export const SALT_BYTES = 32

export const securityModeOf = ({ isSigningRequired }: { readonly isSigningRequired: boolean }): number =>
  SIGNING_ENABLED | (isSigningRequired ? SIGNING_REQUIRED : 0)

const CONTEXT = { preauthIntegrity: 1, encryption: 2, compression: 3 } as const
export const SHA_512 = 1

export interface NegotiateRequest {
  readonly dialects: readonly number[]
  readonly securityMode: number
  readonly capabilities: number
  readonly clientGuid: Buffer
  /** Of 3.1.1; undefined when they cannot be read. */
  readonly contexts: NegotiateContexts | undefined
}

export interface NegotiateContexts {
  /** Ids of hashes; undefined without the context. */
  readonly hashes?: readonly number[]
  readonly ciphers?: readonly number[]
  readonly compression?: Compression | 'invalid'
}

/** SMB2_COMPRESSION_CAPABILITIES ([MS-SMB2] 2.2.3.1.3): ids of algorithms, and whether messages may be chained. */
export interface Compression {
  readonly flags: number
  readonly algorithms: readonly number[]
}

const MAX_DIALECTS = 64

/** Undefined when the message is malformed. */
export function readNegotiate(message: Buffer): NegotiateRequest | undefined {
  const body = bodyReader(message, COMMAND.negotiate)
  if (!body) return undefined
  const count = body.u16()
  const securityMode = body.u16()
  body.skip(2)
  const capabilities = body.u32()
  const clientGuid = body.bytes(16)
  const offset = body.u32()
  const contextCount = body.u16()
  body.skip(2)
  if (count > MAX_DIALECTS) return undefined
  const dialects = Array.from({ length: count }, () => body.u16())
  if (!body.isIntact) return undefined
  const isNewest = dialects.includes(DIALECT.v311)
  const contexts = isNewest ? readContexts(message.subarray(offset), contextCount) : {}
  return { dialects, securityMode, capabilities, clientGuid, contexts }
}

function readContexts(bytes: Buffer, count: number): NegotiateContexts | undefined {
  const fields = reader(bytes)
  let found: NegotiateContexts = {}
  for (let i = 0; i < count && fields.isIntact; i += 1) {
    fields.align(8)
    const type = fields.u16()
    const length = fields.u16()
    fields.skip(4)
    const content = reader(fields.bytes(length))
    if (type === CONTEXT.preauthIntegrity) {
      if (found.hashes) return undefined
      const hashCount = content.u16()
      content.skip(2)
      found = { ...found, hashes: ids(content.u16, hashCount, content.left) }
    }
    if (type === CONTEXT.encryption) {
      if (found.ciphers) return undefined
      const cipherCount = content.u16()
      found = { ...found, ciphers: ids(content.u16, cipherCount, content.left) }
    }
    if (type === CONTEXT.compression) found = { ...found, compression: readCompression(content) }
  }
  return fields.isIntact ? found : undefined
}

function readCompression(content: Reader): Compression | 'invalid' {
  const count = content.u16()
  content.skip(2)
  const flags = content.u32()
  const algorithms = ids(content.u16, count, content.left)
  return content.isIntact && count > 0 && algorithms.length === count ? { flags, algorithms } : 'invalid'
}

const ids = (next: () => number, count: number, bytes: number): number[] =>
  Array.from({ length: Math.min(count, bytes >> 1) }, next)

export interface NegotiateResponse {
  readonly securityMode: number
  readonly dialect: number
  readonly serverGuid: Buffer
  readonly capabilities: number
  readonly maxSize: number
  readonly systemTime: bigint
  readonly token: Buffer
  /** Encoded contexts of 3.1.1. */
  readonly contexts: readonly Buffer[]
}

export function writeNegotiate(response: NegotiateResponse): Buffer {
  const { token, contexts, maxSize } = response
  const tokenAt = HEADER_BYTES + 64
  const head = (contextsAt: number): Buffer =>
    join(
      u16(65),
      u16(response.securityMode),
      u16(response.dialect),
      u16(contexts.length),
      response.serverGuid,
      u32(response.capabilities),
      u32(maxSize),
      u32(maxSize),
      u32(maxSize),
      u64(response.systemTime),
      // ServerStartTime is not given away by Windows since 10 and Server 2016.
      u64(0),
      u16(tokenAt),
      u16(token.length),
      u32(contextsAt),
      token,
    )
  if (contexts.length === 0) return head(0)
  const unpadded = head(0).length
  const padded = aligned(zeros(unpadded), 8).length
  return join(head(HEADER_BYTES + padded), zeros(padded - unpadded), ...joinAligned(contexts))
}

/** Each but the last padded to eight bytes. */
const joinAligned = (contexts: readonly Buffer[]): Buffer[] =>
  contexts.map((context, i) => (i === contexts.length - 1 ? context : aligned(context, 8)))

const context = (type: number, content: Buffer): Buffer =>
  join(u16(type), u16(content.length), u32(0), content)

export const preauthContext = (salt: Buffer): Buffer =>
  context(CONTEXT.preauthIntegrity, join(u16(1), u16(salt.length), u16(SHA_512), salt))

export const encryptionContext = (cipher: number): Buffer =>
  context(CONTEXT.encryption, join(u16(1), u16(cipher)))

export const compressionContext = ({ flags, algorithms }: Compression): Buffer =>
  context(CONTEXT.compression, join(u16(algorithms.length), u16(0), u32(flags), ...algorithms.map(u16)))

/** The dialect strings of an SMB1 negotiation ([MS-CIFS] 2.2.4.52.1); undefined when it is another message. */
export function smb1Dialects(message: Buffer): string[] | undefined {
  if (message.length < 35 || message[4] !== 0x72) return undefined
  const wordCount = message[32] ?? 0
  const at = 33 + 2 * wordCount
  if (message.length < at + 2) return undefined
  const text = message.toString('latin1', at + 2, at + 2 + message.readUInt16LE(at))
  return text.split('\0').flatMap((name) => (name.startsWith('\x02') ? [name.slice(1)] : []))
}
