// MySQL 5.7 and 8.0 as Oracle builds them.
import type { Version } from '../../protocol/version.ts'
import { readMysqlLogin } from './login.ts'

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

export const mysql57: Version = {
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
}

export const mysql80: Version = {
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
}
