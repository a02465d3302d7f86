// The client's answer to the greeting: HandshakeResponse41, or HandshakeResponse320 of clients before 4.1.
import { loginText } from '../../login-protocol.ts'
import {
  CONNECT_ATTRS,
  CONNECT_WITH_DB,
  PLUGIN_AUTH,
  PLUGIN_AUTH_LENENC_DATA,
  PROTOCOL_41,
  SECURE_CONNECTION,
} from './capabilities.ts'
import { openReader, type FieldReader } from './reader.ts'
import type { MysqlLogin } from './visit.ts'

/** Capabilities, greatest packet, character set, reserved bytes; with CLIENT_SSL alone, no more follows. */
const FIXED_BYTES_41 = 32
const FIXED_BYTES_320 = 5
/** A client names about ten attributes of itself. */
const MAX_ATTRIBUTES = 64

export interface LoginPacket {
  readonly login: MysqlLogin
  /** Undefined where it is missing or cut. */
  readonly password: Buffer | undefined
  /** Undefined where the client names none, and uses that of the greeting. */
  readonly plugin: string | undefined
  /** HandshakeResponse320 */
  readonly isOld: boolean
}

/** Undefined without a user that ends in a NUL. What is broken behind the user counts as not there. */
export function readLogin(payload: Buffer): LoginPacket | undefined {
  const low = openReader(payload).integer(2)
  if (low === undefined) return undefined
  const fields = openReader(payload)
  if ((low & PROTOCOL_41) === 0) {
    fields.bytes(FIXED_BYTES_320)
    const user = fields.nulText()
    const isLong = payload.length >= FIXED_BYTES_320
    return user && isLong ? loginPacket({ user, password: fields.nulText(), isOld: true }) : undefined
  }
  const capabilities = fields.bytes(FIXED_BYTES_41)?.readUInt32LE(0)
  const user = fields.nulText()
  return capabilities === undefined || user === undefined ? undefined : behindUser(fields, capabilities, user)
}

function behindUser(fields: FieldReader, capabilities: number, user: Buffer): LoginPacket {
  const has = (flag: number): boolean => (capabilities & flag) !== 0
  const password = has(PLUGIN_AUTH_LENENC_DATA)
    ? fields.lengthText()
    : has(SECURE_CONNECTION)
      ? fields.bytes(fields.integer(1))
      : fields.nulText()
  const database = has(CONNECT_WITH_DB) ? fields.nulText() : undefined
  const plugin = has(PLUGIN_AUTH) ? fields.nulText() : undefined
  const attributes = has(CONNECT_ATTRS) ? fields.lengthText() : undefined
  return loginPacket({ user, password, database, plugin, attributes: attributesIn(attributes) })
}

function attributesIn(bytes: Buffer | undefined): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  const fields = openReader(bytes ?? Buffer.alloc(0))
  while (!fields.isAtEnd() && attributes.size < MAX_ATTRIBUTES) {
    const name = fields.lengthText()
    const value = fields.lengthText()
    if (name === undefined || value === undefined) break
    attributes.set(loginText(name), loginText(value))
  }
  return attributes
}

interface Fields {
  readonly user: Buffer
  readonly password: Buffer | undefined
  readonly database?: Buffer | undefined
  readonly plugin?: Buffer | undefined
  readonly attributes?: ReadonlyMap<string, string>
  readonly isOld?: boolean
}

function loginPacket({ user, password, database, plugin, attributes, isOld = false }: Fields): LoginPacket {
  return {
    login: {
      user: loginText(user),
      database: database === undefined ? '' : loginText(database),
      hasPassword: password !== undefined && password.length > 0,
      clientVersion: attributes?.get('_client_version') ?? '',
      os: attributes?.get('_os') ?? '',
      program: attributes?.get('program_name') ?? '',
    },
    password,
    plugin: plugin?.toString('latin1'),
    isOld,
  }
}
