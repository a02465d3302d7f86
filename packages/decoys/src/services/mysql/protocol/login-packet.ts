// The first packet of a client (Protocol::HandshakeResponse41, or 320 of clients before 4.1), as MariaDB reads it.
import { CAPABILITY, has } from './capabilities.ts'
import { characterSetOf, refusedCharacterSet, type CharacterSet } from './character-set.ts'

export interface Login {
  /** What both sides can. */
  readonly capabilities: number
  readonly characterSet: CharacterSet
  /** Latin1, one character a byte, as sent. */
  readonly user: string
  readonly database: string | undefined
  /** What the client made of password and salt. */
  readonly response: Buffer
  /** The plug-in that made it; undefined: the client names none. */
  readonly plugin: string | undefined
  /** Attributes of the connection run over the end of the packet; a server that looks at them first reads no login. */
  readonly hasMalformedAttributes?: boolean
}

export type ReadLogin =
  | { readonly kind: 'login'; readonly login: Login }
  | { readonly kind: 'tls'; readonly capabilities: number; readonly collation: number }
  | { readonly kind: 'malformed'; readonly capabilities: number }
  | { readonly kind: 'character-set'; readonly name: string; readonly capabilities: number }

const FIELDS_41 = 32
const FIELDS_320 = 5
const MIN_BYTES = 2
/** Of the packet behind a TLS handshake. */
const MIN_BYTES_SECURED = 6

export interface Reader {
  readonly serverCapabilities: number
  /** Those of the packet that asked for TLS; undefined before. */
  readonly agreed:
    | { readonly capabilities: number; readonly isProtocol41: boolean; readonly collation: number }
    | undefined
}

/** `length` is that of the whole packet; `payload` may be its first part. Never throws. */
export function readLogin(
  payload: Buffer,
  length: number,
  { serverCapabilities, agreed }: Reader,
): ReadLogin {
  if (length < (agreed ? MIN_BYTES_SECURED : MIN_BYTES))
    return { kind: 'malformed', capabilities: agreed?.capabilities ?? serverCapabilities }
  const low = payload.readUInt16LE(0)
  const isProtocol41 = agreed?.isProtocol41 ?? has(low, CAPABILITY.protocol41)
  if (!agreed && isProtocol41 && length < FIELDS_41)
    return { kind: 'malformed', capabilities: serverCapabilities }
  const sent = isProtocol41 && !agreed ? payload.readUInt32LE(0) : low
  const capabilities = agreed?.capabilities ?? serverCapabilities & sent
  const collation = isProtocol41 ? (payload[8] ?? 0) : 0
  if (!agreed && has(capabilities, CAPABILITY.ssl)) return { kind: 'tls', capabilities, collation }
  const malformed = { kind: 'malformed', capabilities } as const
  const refused = refusedCharacterSet(collation)
  if (refused !== undefined) return { kind: 'character-set', name: refused, capabilities }
  if (length < (isProtocol41 ? FIELDS_41 - 1 : FIELDS_320 - 1)) return malformed
  const texts = readTexts(payload, length, isProtocol41 ? FIELDS_41 : FIELDS_320, capabilities)
  if (!texts) return malformed
  const characterSet = isProtocol41 ? characterSetOf(collation) : 'utf8mb4'
  return { kind: 'login', login: { capabilities, characterSet, ...texts } }
}

type Texts = Pick<Login, 'user' | 'database' | 'response' | 'plugin' | 'hasMalformedAttributes'>

/** User, response, database and plug-in; undefined when one runs over the end of the packet. */
function readTexts(payload: Buffer, length: number, at: number, capabilities: number): Texts | undefined {
  const userEnd = textEnd(payload, at)
  const prefix = responseLength(payload, userEnd + 1, length, capabilities)
  if (!prefix) return undefined
  const start = userEnd + 1 + prefix.bytes
  const end = start + prefix.length
  const hasDatabase = has(capabilities, CAPABILITY.connectWithDatabase)
  if (end + (hasDatabase ? 1 : 0) > length) return undefined
  // Behind a response that ends with a NUL, the database stands one byte further.
  const databaseStart = has(capabilities, CAPABILITY.secureConnection) ? end : end + 1
  const databaseEnd = textEnd(payload, databaseStart)
  const rest = hasDatabase ? end + (databaseEnd - databaseStart) + 1 : end
  // Behind the part that is kept, none is known.
  const hasPlugin = has(capabilities, CAPABILITY.pluginAuth) && rest < payload.length
  const pluginEnd = hasPlugin ? textEnd(payload, rest) : rest
  const attributes = hasPlugin ? pluginEnd + 1 : rest
  return {
    user: payload.toString('latin1', at, userEnd),
    database: hasDatabase ? payload.toString('latin1', databaseStart, databaseEnd) : undefined,
    response: payload.subarray(start, end),
    plugin: hasPlugin ? payload.toString('latin1', rest, pluginEnd) : undefined,
    hasMalformedAttributes:
      has(capabilities, CAPABILITY.connectAttributes) && !hasAttributes(payload, attributes, length),
  }
}

/** Where the NUL stands; the server puts one behind every packet. */
function textEnd(payload: Buffer, start: number): number {
  const end = payload.indexOf(0, start)
  return end < 0 ? Math.max(start, payload.length) : end
}

function responseLength(
  payload: Buffer,
  at: number,
  packetLength: number,
  capabilities: number,
): { readonly bytes: number; readonly length: number } | undefined {
  if (!has(capabilities, CAPABILITY.secureConnection))
    return at > packetLength ? undefined : { bytes: 0, length: textEnd(payload, at) - at }
  if (at >= packetLength) return undefined
  if (!has(capabilities, CAPABILITY.lengthEncodedResponse)) return { bytes: 1, length: payload[at]! }
  return lengthEncoded(payload, at, packetLength)
}

/** An integer of 1, 3, 4 or 9 bytes (Protocol::LengthEncodedInteger); undefined if it is none, or is cut off. */
export function lengthEncoded(
  payload: Buffer,
  at: number,
  end: number,
): { readonly bytes: number; readonly length: number } | undefined {
  const first = payload[at]
  if (first === undefined || at >= end) return undefined
  if (first < 251) return { bytes: 1, length: first }
  const more = LENGTH_BYTES[first]
  if (more === undefined || at + 1 + more > Math.min(end, payload.length)) return undefined
  const length = more === 8 ? Number(payload.readBigUInt64LE(at + 1)) : payload.readUIntLE(at + 1, more)
  return { bytes: 1 + more, length }
}

const LENGTH_BYTES: Readonly<Record<number, number>> = { 252: 2, 253: 3, 254: 8 }

const MAX_ATTRIBUTE_BYTES = 65_535

/** Whether they end where the packet does, or before. */
export function hasAttributes(payload: Buffer, at: number, end: number): boolean {
  const all = lengthEncoded(payload, at, end)
  return all !== undefined && all.length <= MAX_ATTRIBUTE_BYTES && at + all.bytes + all.length <= end
}
