// IIS 10.0 of Windows Server 2019 with the Web Server role, by its documents: HTTP.sys below it, TLS by Schannel.
import type { TlsProfile } from '../../../../session/tls-server.ts'
import { schannel } from '../../../../windows/schannel.ts'
import type { BrokenRequest } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { PendingRequest, Site, WebServer } from '../../protocol/web-server.ts'
import { decode } from './codec.ts'
import { httpSysPage, isHttpSysError } from './http-sys.ts'
import { connection, serialize } from './response.ts'
import { respond } from './site.ts'

/** connectionTimeout of a site. */
const TIMEOUT_MS = 120_000
/** Of a body that is kept for its event. */
const MAX_BODY_BYTES = 1024 * 1024

const profile: TlsProfile = {
  ...schannel,
  name: 'schannel-17763-http',
  // HTTP/2 is off (EnableHttp2Tls): Schannel goes on without a protocol.
  alpn: { protocols: ['http/1.1'], otherwise: 'ignore' },
  acknowledgesName: 'each',
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
