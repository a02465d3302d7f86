// What differs between the greetings, logins and refusals of the servers that the decoy may claim to be.
import type { ReadLogin, Reader } from './login-packet.ts'

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
