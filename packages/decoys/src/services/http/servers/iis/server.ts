// IIS 10.0 of Windows Server 2022 with the Web Server role, by its documents: HTTP.sys below it, TLS by Schannel.
import { constants } from 'node:crypto'
import type { TlsProfile } from '../../../../tls-server.ts'
import type { BrokenRequest } from '../../request.ts'
import type { HttpResponse } from '../../response.ts'
import type { PendingRequest, Site, WebServer } from '../web-server.ts'
import { decode } from './codec.ts'
import { httpSysPage, isHttpSysError } from './http-sys.ts'
import { connection, serialize } from './response.ts'
import { respond } from './site.ts'

/** connectionTimeout of a site. */
const TIMEOUT_MS = 120_000
/** Of a body that is kept for its event. */
const MAX_BODY_BYTES = 1024 * 1024

/** The default order of Windows Server 2022 (TLS Cipher Suites in Windows Server 2022), as far as RSA has them. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'DHE-RSA-AES256-GCM-SHA384',
  'DHE-RSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES256-SHA384',
  'ECDHE-RSA-AES128-SHA256',
  'ECDHE-RSA-AES256-SHA',
  'ECDHE-RSA-AES128-SHA',
  'AES256-GCM-SHA384',
  'AES128-GCM-SHA256',
  'AES256-SHA256',
  'AES128-SHA256',
  'AES256-SHA',
  'AES128-SHA',
]

const profile: TlsProfile = {
  name: 'schannel-2022',
  options: {
    ciphers: [...CIPHERS, '@SECLEVEL=0'].join(':'),
    minVersion: 'TLSv1',
    ecdhCurve: 'X25519:P-256:P-384',
    dhparam: 'auto',
    honorCipherOrder: true,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE,
  },
  // HTTP/2 is off (EnableHttp2Tls): Schannel goes on without a protocol.
  alpn: { protocols: ['http/1.1'], otherwise: 'ignore' },
  acknowledgesName: true,
  sessionSeconds: 36_000,
}

export const iis: WebServer = {
  product: 'Microsoft-IIS/10.0',
  limits: { requests: Infinity, bodyBytes: MAX_BODY_BYTES, idleMs: TIMEOUT_MS },
  decode,
  patienceMs: () => TIMEOUT_MS,
  timeOut: () => undefined,
  timeOutClose: 'reset',
  bodyPlan: () => 'discard',
  respond,
  refuse,
  connection,
  serialize,
  tls: { profile, handshakeMs: TIMEOUT_MS, refuse: () => undefined, mostReadBytes: 0 },
}

/** A body that breaks ends the connection; its request is answered by then. */
function refuse({ note }: BrokenRequest, { head }: PendingRequest, site: Site): HttpResponse {
  if (head) return respond(head, site)
  return httpSysPage(isHttpSysError(note) ? note : 'bad-request')
}
