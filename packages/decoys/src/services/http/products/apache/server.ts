// Apache 2.4.71 as Debian 12 configures it.
import { openSsl30 } from '../../../../machine/openssl-3.0.ts'
import type { TlsProfile } from '../../../../session/tls-server.ts'
import { expectsContinue, type BrokenRequest, type Scheme } from '../../protocol/request.ts'
import type { Awaited, WebServer } from '../../protocol/web-server.ts'
import { decode, MAX_BODY_BYTES, ownTarget } from './codec.ts'
import { patienceMs } from './deadlines.ts'
import { connection, MAX_REQUESTS } from './keep-alive.ts'
import { refuse, refusePlain } from './refusal.ts'
import { serialize } from './response.ts'
import { isAnsweredEarly, respond } from './site.ts'
import { takeSeat } from './workers.ts'

/** Apache's LimitRequestBody. */
const LIMIT_REQUEST_BODY = 1024 ** 3
/** Apache's Timeout. It has no limit of its own for a handshake that goes on by drops. */
const TIMEOUT_MS = 300_000

/** Debian's mod_ssl: `SSLCipherSuite HIGH:!aNULL`, `SSLSessionTickets off`, sessions of 300 s in shared memory. */
const profile: TlsProfile = {
  name: 'apache-2.4',
  ...openSsl30({ hasTickets: false, hasDiffieHellman: true }),
  alpn: { protocols: ['http/1.1'], otherwise: 'insist' },
  acknowledgesName: 'own',
  sessionSeconds: 300,
}

export const apache: WebServer = {
  product: 'Apache/2.4.71 (Debian)',
  limits: {
    requests: MAX_REQUESTS,
    bodyBytes: MAX_BODY_BYTES,
    mostBodyBytes: LIMIT_REQUEST_BODY,
    idleMs: TIMEOUT_MS,
  },
  decode,
  patienceMs,
  // Without a request line Apache closes silently.
  timeOut: (awaited) => (hasRequestLine(awaited) ? { status: 408, line: '' } : undefined),
  cutOff,
  bodyPlan(head, site) {
    if (isAnsweredEarly(head, site, expectsContinue(head))) return 'leave'
    return head.body.length > LIMIT_REQUEST_BODY ? { status: 413, line: '' } : 'read'
  },
  respond,
  refuse,
  connection,
  serialize,
  takeSeat,
  // mod_ssl reads 8 KiB for the first record.
  tls: { profile, handshakeMs: TIMEOUT_MS, refuse: refusePlain, mostReadBytes: 8_192 },
}

/** Empty lines before a request are none of it. */
const REQUEST_LINE = /^(?:\r?\n)*([^\r\n]+)\r?\n/

function cutOff({ name }: Awaited, unread: Buffer, scheme: Scheme): BrokenRequest | undefined {
  if (name === 'body' || name === 'rest-of-body') return { status: 400, line: '', isCutOff: true }
  const [, line] = REQUEST_LINE.exec(unread.toString('latin1')) ?? []
  return line === undefined ? undefined : { status: 400, line, ...ownTarget(line, scheme) }
}

const hasRequestLine = (awaited: Awaited): boolean =>
  awaited.name === 'body' || (awaited.name === 'head' && awaited.hasLine)
