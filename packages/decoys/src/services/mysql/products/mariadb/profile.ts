// MariaDB 10.11 as the package of Debian 12 installs it, with a certificate.
import { readLogin } from '../../protocol/login-packet.ts'
import type { Version } from '../../protocol/version.ts'

export const mariadb: Version = {
  name: 'mariadb-10.11',
  product: 'mariadb',
  banner: '5.5.5-10.11.19-MariaDB-0+deb12u1',
  capabilities: 0x81ff_fffe,
  ownCapabilities: 0x1d,
  collation: 45,
  plugin: 'mysql_native_password',
  strangerPlugins: ['mysql_native_password'],
  salt: 'printable',
  mostUserBytes: 512,
  hasProxyProtocol: true,
  maxAllowedPacket: 16 * 1_024 * 1_024,
  silence: 'reset',
  words: { client: 'MariaDB', admin: 'mariadb-admin' },
  // Debian's start script and the server's own threads have had the numbers before.
  firstThread: 30,
  readLogin,
}
