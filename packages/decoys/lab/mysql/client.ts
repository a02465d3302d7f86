// Packets of clients, for probes: latin1, one character a byte.
export const FLAGS = {
  mysql: 0x1,
  foundRows: 0x2,
  longFlag: 0x4,
  withDatabase: 0x8,
  compress: 0x20,
  localFiles: 0x80,
  ignoreSpace: 0x100,
  protocol41: 0x200,
  interactive: 0x400,
  ssl: 0x800,
  transactions: 0x2000,
  secureConnection: 0x8000,
  multiStatements: 0x1_0000,
  multiResults: 0x2_0000,
  pluginAuth: 0x8_0000,
  attributes: 0x10_0000,
  lengthEncoded: 0x20_0000,
} as const

/** As mariadb of Debian 12 sends them, without attributes. */
export const USUAL =
  FLAGS.longFlag |
  FLAGS.localFiles |
  FLAGS.protocol41 |
  FLAGS.transactions |
  FLAGS.secureConnection |
  FLAGS.multiStatements |
  FLAGS.multiResults |
  FLAGS.pluginAuth

export const NATIVE = 'mysql_native_password'
export const RESPONSE = 'ABCDEFGHIJKLMNOPQRST'

export const number = (value: number, bytes: number): string => {
  let text = ''
  for (let at = 0; at < bytes; at += 1) text += String.fromCharCode(Math.floor(value / 256 ** at) & 0xff)
  return text
}

export const framed = (payload: string, sequence = 1, length = payload.length): string =>
  number(length, 3) + number(sequence, 1) + payload

export const lengthEncoded = (text: string): string => {
  if (text.length < 251) return number(text.length, 1) + text
  return text.length < 65_536
    ? `\xfc${number(text.length, 2)}${text}`
    : `\xfd${number(text.length, 3)}${text}`
}

export interface LoginParts {
  readonly flags?: number
  readonly maxPacket?: number
  readonly collation?: number
  readonly reserved?: string
  readonly user?: string
  readonly response?: string
  readonly database?: string
  readonly plugin?: string
  readonly attributes?: string
}

/** HandshakeResponse41; its flags follow from its parts unless they are given. */
export function login(parts: LoginParts = {}): string {
  const { user = 'root', response = RESPONSE, database, plugin = NATIVE, attributes } = parts
  const flags =
    parts.flags ??
    USUAL |
      (database === undefined ? 0 : FLAGS.withDatabase) |
      (attributes === undefined ? 0 : FLAGS.attributes)
  const isLengthEncoded = (flags & FLAGS.lengthEncoded) !== 0
  return [
    number(flags >>> 0, 4),
    number(parts.maxPacket ?? 0x100_0000, 4),
    number(parts.collation ?? 45, 1),
    parts.reserved ?? '\0'.repeat(23),
    `${user}\0`,
    isLengthEncoded
      ? lengthEncoded(response)
      : (flags & FLAGS.secureConnection) !== 0
        ? number(response.length, 1) + response
        : `${response}\0`,
    database === undefined ? '' : `${database}\0`,
    plugin === '' ? '' : `${plugin}\0`,
    attributes ?? '',
  ].join('')
}

/** HandshakeResponse320. */
export const oldLogin = ({
  flags = FLAGS.mysql | FLAGS.transactions,
  user = 'root',
  response = 'ABCDEFGH',
  database = '',
} = {}): string =>
  `${number(flags, 2)}${number(0xff_ffff, 3)}${user}\0${response}${database && `\0${database}`}`

export const attributesOf = (pairs: Readonly<Record<string, string>>): string =>
  lengthEncoded(
    Object.entries(pairs)
      .map(([name, value]) => lengthEncoded(name) + lengthEncoded(value))
      .join(''),
  )

export const sslRequest = (flags = USUAL | FLAGS.ssl, collation = 45): string =>
  number(flags >>> 0, 4) + number(0x100_0000, 4) + number(collation, 1) + '\0'.repeat(23)
