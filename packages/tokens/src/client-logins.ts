// Logins as clients of MySQL and PostgreSQL send them.
import { packet } from './channels/mysql/packet.ts'

export interface MysqlClient {
  readonly user: string
  readonly database?: string
  /** What its plugin makes of the password: 20 bytes, for that of the greeting. */
  readonly password?: Uint8Array
  readonly plugin?: string
  readonly attributes?: Readonly<Record<string, string>>
}

const lengthText = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])

/** HandshakeResponse41. */
export function mysqlLogin({
  user,
  database,
  password = new Uint8Array(),
  plugin = 'mysql_native_password',
  attributes,
}: MysqlClient): Buffer {
  const fixed = Buffer.alloc(32)
  // PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH; CONNECT_WITH_DB and CONNECT_ATTRS where they are given.
  fixed.writeUInt32LE(0x8_8200 | (database === undefined ? 0 : 8) | (attributes ? 0x10_0000 : 0))
  fixed.writeUInt32LE(0x100_0000, 4)
  fixed.writeUInt8(45, 8)
  const pairs = Object.entries(attributes ?? {}).flatMap((pair) => pair.map(lengthText))
  const listed = Buffer.concat(pairs)
  const size = Buffer.from([0xfc, listed.length & 0xff, listed.length >> 8])
  return packet(
    1,
    Buffer.concat([
      fixed,
      Buffer.from(`${user}\0`),
      Buffer.from([password.length]),
      password,
      Buffer.from(database === undefined ? '' : `${database}\0`),
      Buffer.from(`${plugin}\0`),
      ...(attributes ? [size, listed] : []),
    ]),
  )
}

/** A message of PostgreSQL before the first one with a type. */
export function postgresRequest(version: number, body = ''): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + Buffer.byteLength(body))
  head.writeUInt32BE(version, 4)
  return Buffer.concat([head, Buffer.from(body)])
}

export const SSL_REQUEST = postgresRequest(80_877_103)
export const GSSENC_REQUEST = postgresRequest(80_877_104)
export const CANCEL_REQUEST = postgresRequest(80_877_102, '\0\0\0\x01\0\0\0\x02')

export const postgresStart = (parameters: Readonly<Record<string, string>>, version = 0x3_0000): Buffer =>
  postgresRequest(
    version,
    `${Object.entries(parameters)
      .map(([name, value]) => `${name}\0${value}\0`)
      .join('')}\0`,
  )
