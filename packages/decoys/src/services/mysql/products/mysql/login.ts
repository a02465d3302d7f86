// The first packet of a client (Protocol::HandshakeResponse41 or 320) as MySQL 5.7 and 8.0 read it.
import { CAPABILITY, has } from '../../protocol/capabilities.ts'
import { characterSetOf, refusedCharacterSet } from '../../protocol/character-set.ts'
import {
  hasAttributes,
  lengthEncoded,
  type Login,
  type ReadLogin,
  type Reader,
} from '../../protocol/login-packet.ts'

const FIELDS_41 = 32
const FIELDS_320 = 5
const MIN_BYTES = 2
/** Flags alone, of old clients that ask for TLS. */
const SHORT_TLS_REQUEST = 4

/** `length` is that of the whole packet; `payload` may be its first part. Never throws. */
export function readMysqlLogin(
  payload: Buffer,
  length: number,
  { serverCapabilities, agreed }: Reader,
): ReadLogin {
  if (agreed) {
    const { capabilities, isProtocol41, collation } = agreed
    const start = isProtocol41 ? FIELDS_41 : FIELDS_320
    if (length < start) return { kind: 'malformed', capabilities }
    return readFields(payload, length, start, capabilities, collation)
  }
  if (length < MIN_BYTES) return { kind: 'malformed', capabilities: serverCapabilities }
  const low = payload.readUInt16LE(0)
  if (length === SHORT_TLS_REQUEST && has(low, CAPABILITY.ssl))
    return { kind: 'tls', capabilities: payload.readUInt32LE(0), collation: 0 }
  const isProtocol41 = has(low, CAPABILITY.protocol41)
  const start = isProtocol41 ? FIELDS_41 : FIELDS_320
  if (length < start) return { kind: 'malformed', capabilities: low }
  const capabilities = isProtocol41 ? payload.readUInt32LE(0) : low
  const collation = isProtocol41 ? payload[8]! : 0
  if (has(capabilities, CAPABILITY.ssl)) return { kind: 'tls', capabilities, collation }
  return readFields(payload, length, start, capabilities, collation)
}

function readFields(
  payload: Buffer,
  length: number,
  start: number,
  capabilities: number,
  collation: number,
): ReadLogin {
  const refused = refusedCharacterSet(collation)
  if (refused !== undefined) return { kind: 'character-set', name: refused, capabilities }
  const texts = readTexts(payload, length, start, capabilities)
  if (!texts) return { kind: 'malformed', capabilities }
  const characterSet = has(capabilities, CAPABILITY.protocol41) ? characterSetOf(collation) : 'utf8mb4'
  return { kind: 'login', login: { capabilities, characterSet, ...texts } }
}

type Texts = Pick<Login, 'user' | 'database' | 'response' | 'plugin' | 'hasMalformedAttributes'>

interface Field {
  readonly bytes: Buffer
  readonly next: number
}

/** User, response, database and plug-in; undefined when one runs over the end of the packet. */
function readTexts(payload: Buffer, length: number, start: number, capabilities: number): Texts | undefined {
  const text = has(capabilities, CAPABILITY.protocol41) ? terminated : terminatedOrLast
  const user = text(payload, start)
  const response = user && readResponse(payload, user.next, length, capabilities)
  if (!response) return undefined
  const database = has(capabilities, CAPABILITY.connectWithDatabase)
    ? text(payload, response.next)
    : { bytes: undefined, next: response.next }
  if (!database) return undefined
  // MySQL reads the name of a plug-in whatever the flags say; without its NUL it is none.
  const plugin = text(payload, database.next) ?? { bytes: Buffer.alloc(0), next: database.next }
  return {
    user: user.bytes.toString('latin1'),
    response: response.bytes,
    database: database.bytes?.toString('latin1'),
    plugin: has(capabilities, CAPABILITY.pluginAuth) ? plugin.bytes.toString('latin1') : undefined,
    hasMalformedAttributes:
      has(capabilities, CAPABILITY.connectAttributes) && !hasAttributes(payload, plugin.next, length),
  }
}

/** Of protocol 4.1: a text ends with a NUL. */
function terminated(payload: Buffer, at: number): Field | undefined {
  const end = payload.indexOf(0, at)
  return at > payload.length || end < 0 ? undefined : { bytes: payload.subarray(at, end), next: end + 1 }
}

/** Before 4.1: the last text may go without, and what is missing is empty. */
function terminatedOrLast(payload: Buffer, at: number): Field {
  return terminated(payload, at) ?? { bytes: payload.subarray(at), next: payload.length }
}

/** Its length stands before it, in one byte or as Protocol::LengthEncodedInteger. */
function readResponse(payload: Buffer, at: number, end: number, capabilities: number): Field | undefined {
  const prefix = has(capabilities, CAPABILITY.lengthEncodedResponse)
    ? lengthEncoded(payload, at, end)
    : at < Math.min(end, payload.length)
      ? { bytes: 1, length: payload[at]! }
      : undefined
  if (!prefix) return undefined
  const start = at + prefix.bytes
  const next = start + prefix.length
  return next > end ? undefined : { bytes: payload.subarray(start, next), next }
}
