// lighttpd 1.4.69 as Debian 12 configures it, without HTTP/2, as in a small device.
import { openSsl30 } from '../../../../machine/openssl-3.0.ts'
import type { TlsProfile } from '../../../../session/tls-server.ts'
import type { Awaited, WebServer } from '../../protocol/web-server.ts'
import { decode } from './codec.ts'
import { refuse } from './refusal.ts'
import { connection, MAX_REQUESTS, serialize } from './response.ts'
import { respond } from './site.ts'

/** server.max-read-idle and server.max-keep-alive-idle. */
const READ_IDLE_MS = 60_000
const KEEP_ALIVE_MS = 5_000
/** server.max-write-idle. */
const WRITE_IDLE_MS = 360_000
/** Of a body that is kept for its event. */
const MAX_BODY_BYTES = 1024 * 1024

/** mod_openssl: `EECDH+AESGCM:AES256+EECDH:CHACHA20:!SHA1:!SHA256:!SHA384`, and no version before TLS 1.2. */
const CIPHERS = [
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'DHE-RSA-CHACHA20-POLY1305',
  'ECDHE-RSA-AES128-GCM-SHA256',
]
const { options, retryGroups } = openSsl30({ hasTickets: true, hasDiffieHellman: true, ciphers: CIPHERS })

const profile: TlsProfile = {
  name: 'lighttpd-1.4.69',
  options,
  ...(retryGroups && { retryGroups }),
  alpn: { protocols: ['http/1.1', 'http/1.0'], isByClient: true, otherwise: 'refuse' },
  sessionSeconds: 7_200,
}

export const lighttpd: WebServer = {
  product: 'lighttpd/1.4.69',
  limits: { requests: MAX_REQUESTS, bodyBytes: MAX_BODY_BYTES, idleMs: WRITE_IDLE_MS },
  decode,
  patienceMs: ({ name }: Awaited) => (name === 'next' ? KEEP_ALIVE_MS : READ_IDLE_MS),
  timeOut: () => undefined,
  bodyPlan: () => 'peek',
  respond,
  refuse,
  connection,
  serialize,
  tls: { profile, handshakeMs: READ_IDLE_MS, refuse: () => undefined, mostReadBytes: Infinity },
}
