// nginx 1.22.1 as Debian 12 configures it.
import { openSsl30 } from '../../../../machine/openssl-3.0.ts'
import type { TlsProfile } from '../../../../session/tls-server.ts'
import type { Awaited, WebServer } from '../../protocol/web-server.ts'
import { decode } from './codec.ts'
import { isPartOfRequest, refuse, refusePlain } from './refusal.ts'
import { connection, MAX_REQUESTS, serialize } from './response.ts'
import { isOfApplication, MAX_BODY_BYTES, respond } from './site.ts'

/** send_timeout, client_header_timeout and client_body_timeout. */
const TIMEOUT_MS = 60_000
const KEEP_ALIVE_MS = 75_000
/** lingering_timeout and lingering_time. */
const UNUSED_BODY_MS = { silence: 5_000, most: 30_000 }

const profile: TlsProfile = {
  name: 'nginx-1.22',
  ...openSsl30({ hasTickets: true, prefersOwnCiphers: true }),
  alpn: { protocols: ['http/1.1', 'http/1.0', 'http/0.9'], otherwise: 'refuse' },
  acknowledgesName: 'each',
  ends: { withoutNotify: 'ended' },
  sessionSeconds: 300,
}

export const nginx: WebServer = {
  product: 'nginx/1.22.1',
  limits: { requests: MAX_REQUESTS, bodyBytes: MAX_BODY_BYTES, idleMs: KEEP_ALIVE_MS },
  decode,
  patienceMs,
  timeOut: () => undefined,
  bodyPlan: (head, site) =>
    isOfApplication(head, site) && head.body.length <= MAX_BODY_BYTES ? 'read' : 'discard',
  respond,
  refuse,
  connection,
  serialize,
  tls: {
    profile,
    handshakeMs: TIMEOUT_MS,
    refuse: refusePlain,
    readsOn: isPartOfRequest,
    mostReadBytes: Infinity,
  },
}

function patienceMs(awaited: Awaited, _bytes: number, now: number): number {
  switch (awaited.name) {
    case 'head':
      // The first head shares its time with the silence before it.
      return Math.max(1, (awaited.openedAt ?? awaited.since) + TIMEOUT_MS - now)
    case 'unused-body':
      return Math.max(1, Math.min(UNUSED_BODY_MS.silence, awaited.since + UNUSED_BODY_MS.most - now))
    case 'next':
      return KEEP_ALIVE_MS
    case 'first-byte':
    case 'body':
    case 'rest-of-body':
      return TIMEOUT_MS
  }
}
