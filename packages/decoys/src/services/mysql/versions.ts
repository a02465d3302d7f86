// The servers that the decoy may claim to be: what differs between their greetings, logins and refusals.
import { readLogin, type ReadLogin, type Reader } from './login-packet.ts'
import { readMysqlLogin } from './mysql-login.ts'

export type Plugin = 'mysql_native_password' | 'caching_sha2_password' | 'sha256_password'

export interface Version {
  /** As the setting has it. */
  readonly name: string
  readonly product: 'mariadb' | 'mysql'
  /** What the greeting names unless the settings do. */
  readonly banner: string
  /** Lower and upper half of the greeting. */
  readonly capabilities: number
  /** MariaDB's own, which stand in its greeting behind those of MySQL. */
  readonly ownCapabilities: number
  /** Collation of the server. */
  readonly collation: number
  /** The plug-in of the greeting, and of the accounts that exist. */
  readonly plugin: Plugin
  /** The plug-ins that a user without an account may be asked for. */
  readonly strangerPlugins: readonly Plugin[]
  /** `printable`: 94 characters from `!` on; `seven-bit`: any but NUL and `$`. */
  readonly salt: 'printable' | 'seven-bit'
  /** Of a user's name, in error 1045. */
  readonly mostUserBytes: number
  readonly hasProxyProtocol: boolean
  /** `max_allowed_packet`: a payload of so many bytes is too large. */
  readonly maxAllowedPacket: number
  /** What a client gets that is silent for `connect_timeout`. */
  readonly silence: 'reset' | 'end' | 'error'
  /** As two messages name them. */
  readonly words: { readonly client: string; readonly admin: string }
  /** The number of the first connection from outside. */
  readonly firstThread: number
  readonly readLogin: (payload: Buffer, length: number, reader: Reader) => ReadLogin
}

const NATIVE = 'mysql_native_password'
const MIB = 1_024 * 1_024

const MYSQL = {
  product: 'mysql',
  ownCapabilities: 0,
  salt: 'seven-bit',
  mostUserBytes: 48,
  hasProxyProtocol: false,
  words: { client: 'MySQL', admin: 'mysqladmin' },
  readLogin: readMysqlLogin,
} as const

export const VERSIONS: readonly Version[] = [
  {
    // As the package of Debian 12 installs it, with a certificate.
    name: 'mariadb-10.11',
    product: 'mariadb',
    banner: '5.5.5-10.11.19-MariaDB-0+deb12u1',
    capabilities: 0x81ff_fffe,
    ownCapabilities: 0x1d,
    collation: 45,
    plugin: NATIVE,
    strangerPlugins: [NATIVE],
    salt: 'printable',
    mostUserBytes: 512,
    hasProxyProtocol: true,
    maxAllowedPacket: 16 * MIB,
    silence: 'reset',
    words: { client: 'MariaDB', admin: 'mariadb-admin' },
    // Debian's start script and the server's own threads have had the numbers before.
    firstThread: 30,
    readLogin,
  },
  {
    ...MYSQL,
    name: 'mysql-5.7',
    banner: '5.7.44',
    capabilities: 0xc1ff_ffff,
    collation: 8,
    plugin: NATIVE,
    strangerPlugins: [NATIVE],
    maxAllowedPacket: 4 * MIB,
    silence: 'end',
    firstThread: 2,
  },
  {
    ...MYSQL,
    name: 'mysql-8.0',
    banner: '8.0.42',
    capabilities: 0xdfff_ffff,
    collation: 255,
    plugin: 'caching_sha2_password',
    strangerPlugins: ['caching_sha2_password', NATIVE, 'sha256_password'],
    maxAllowedPacket: 64 * MIB,
    silence: 'error',
    firstThread: 8,
  },
]

export const DEFAULT_VERSION = 'mariadb-10.11'

/** The version of that name; settings were checked before. */
export function versionNamed(name: unknown): Version {
  const version = VERSIONS.find((each) => each.name === name)
  if (version) return version
  throw new RangeError(
    `dbsrv_b.version is ${JSON.stringify(name)}; it must be one of ${VERSIONS.map((each) => each.name).join(', ')}`,
  )
}
