// TLS as database servers speak it behind an SSLRequest.
import { constants } from 'node:crypto'
import { pem, sequence, unsigned } from '@rookery/kernel/der.ts'
import { openSsl30 } from '../../../machine/openssl-3.0.ts'
import { machineCertificate } from '../../../machine/machine-certificate.ts'
import { storyOf } from '../../../machine/story.ts'
import type { BirdSettings, SessionContext } from '../../../session/session.ts'
import type { TlsProfile, TlsServer } from '../../../session/tls-server.ts'
import { serverCertificate } from './certificate.ts'
import { FFDHE2048, MARIADB_GROUP, MYSQL_GROUP, type DiffieHellmanGroup } from './diffie-hellman.data.ts'

const diffieHellmanParameters = ({ prime, generator }: DiffieHellmanGroup): string =>
  pem(
    'DH PARAMETERS',
    sequence(unsigned(Buffer.from(prime.replace(/\s+/g, ''), 'hex')), unsigned(Buffer.from([generator]))),
  )

const openSsl = openSsl30({ hasTickets: true, ciphers: 'default', hasDiffieHellman: true })

const profile = (
  name: string,
  options: TlsProfile['options'],
  more: Partial<Pick<TlsProfile, 'retryGroups' | 'sessionSeconds'>> = {},
): TlsProfile => ({
  name,
  options,
  asksForCertificate: true,
  ends: { withoutNotify: 'uncut', leavesUnread: true },
  // OpenSSL's own.
  sessionSeconds: 7_200,
  ...more,
})

const openSslGroups = openSsl.retryGroups && { retryGroups: openSsl.retryGroups }

/** Its versions are the library's: MariaDB allows TLS 1.1, Debian's OpenSSL does not. */
const MARIADB = profile(
  'mariadb-10.11',
  { ...openSsl.options, dhparam: diffieHellmanParameters(MARIADB_GROUP) },
  openSslGroups,
)

/** The ciphers that MySQL 5.7 and 8.0 permit, in their order, as far as they need no other certificate than RSA. */
const CIPHERS = `
  ECDHE-RSA-AES128-GCM-SHA256 ECDHE-RSA-AES128-SHA256 ECDHE-RSA-AES256-GCM-SHA384 ECDHE-RSA-AES256-SHA384
  DHE-RSA-AES128-GCM-SHA256 DHE-RSA-AES128-SHA256 DHE-RSA-AES256-SHA256 DHE-RSA-AES256-GCM-SHA384
  ECDHE-RSA-AES128-SHA ECDHE-RSA-AES256-SHA DHE-RSA-AES128-SHA DHE-RSA-AES256-SHA AES256-SHA CAMELLIA256-SHA
  CAMELLIA128-SHA AES128-GCM-SHA256 AES256-GCM-SHA384 AES128-SHA256 AES256-SHA256 AES128-SHA
`
  .trim()
  .split(/\s+/)
const TLS13 = ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256']

/** TLS 1.0 to 1.2, as `tls_version` of 5.7 has them. */
const MYSQL_5_7 = profile('mysql-5.7', {
  ...openSsl.options,
  ciphers: [...CIPHERS, '@SECLEVEL=0'].join(':'),
  minVersion: 'TLSv1',
  maxVersion: 'TLSv1.2',
  ecdhCurve: 'P-256',
  sigalgs: 'RSA+SHA512:RSA+SHA384:RSA+SHA256:RSA+SHA224:RSA+SHA1',
  dhparam: diffieHellmanParameters(MYSQL_GROUP),
})

/** TLS 1.2 and 1.3; the server chooses. */
const MYSQL_8_0 = profile(
  'mysql-8.0',
  {
    ...openSsl.options,
    ciphers: [...TLS13, ...CIPHERS, '@SECLEVEL=0'].join(':'),
    honorCipherOrder: true,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE,
    dhparam: diffieHellmanParameters(FFDHE2048),
  },
  // `ssl_session_cache_timeout`.
  { ...openSslGroups, sessionSeconds: 300 },
)

const HANDSHAKE_MS = 300_000

/** MariaDB shows the certificate of its machine. */
export const mariadbTls = (
  settings: BirdSettings,
  { derive, now }: Pick<SessionContext, 'derive' | 'now'>,
): TlsServer => ({
  profile: MARIADB,
  certificate: machineCertificate(storyOf(settings, derive), derive, now()),
  handshakeMs: HANDSHAKE_MS,
})

/** After the machine's own installation, at most. */
const MAX_UNTIL_FIRST_START_MS = 3 * 86_400_000

/** MySQL shows the certificate that it makes for itself at its first start. */
export function mysqlTls(
  settings: BirdSettings,
  { derive }: Pick<SessionContext, 'derive'>,
  { version, release }: { readonly version: string; readonly release: string },
): TlsServer {
  const { installedAt } = storyOf(settings, derive)
  const passedMs = derive('dbsrv_b/first-start', 4).readUInt32BE() % MAX_UNTIL_FIRST_START_MS
  const firstStartAt = installedAt + Math.floor(passedMs / 1_000) * 1_000
  return {
    profile: version === 'mysql-5.7' ? MYSQL_5_7 : MYSQL_8_0,
    certificate: serverCertificate(derive, release, firstStartAt),
    handshakeMs: HANDSHAKE_MS,
  }
}
