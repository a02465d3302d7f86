// What `node:tls` needs for a profile and a certificate, made once; and the sessions that a client may resume.
import { createSecureContext, createServer, type SecureContext, type Server } from 'node:tls'
import { limit } from '@rookery/kernel/limit.ts'
import type { Certificate } from '../../machine/certificate.ts'
import type { TlsProfile } from '../../session/tls-server.ts'

export interface TlsContext {
  readonly context: SecureContext
  /** Never listens: it answers for the sessions that are resumed. */
  readonly sessions: Server
  /** A session that may be resumed by its id. */
  readonly findSession: (id: Buffer) => Buffer | undefined
}

/** Sessions of TLS decoys that may be resumed. */
const SESSIONS = limit('tls_sessions', 2_048)

const byCertificate = new WeakMap<Certificate, Map<string, TlsContext>>()

/** `group` is the only one of the key exchange, if it is given. */
export function tlsContext(profile: TlsProfile, certificate: Certificate, group = ''): TlsContext {
  const known = byCertificate.get(certificate) ?? new Map<string, TlsContext>()
  byCertificate.set(certificate, known)
  const name = `${profile.name} ${group}`
  const context = known.get(name) ?? newContext(profile, certificate, group)
  known.set(name, context)
  return context
}

const newContext = (
  { options, sessionSeconds }: TlsProfile,
  certificate: Certificate,
  group: string,
): TlsContext => ({
  context: createSecureContext({
    ...options,
    ...(group && { ecdhCurve: group }),
    ...certificate,
    sessionTimeout: sessionSeconds || 1,
    // OpenSSL breaks the handshake of a client that resumes if the server asks for certificates and has no name for its sessions.
    sessionIdContext: 'sessions',
  }),
  ...sessionCache(sessionSeconds > 0),
})

/** OpenSSL checks the age of a session itself. */
function sessionCache(isResumable: boolean): Pick<TlsContext, 'sessions' | 'findSession'> {
  const server = createServer()
  const sessions = new Map<string, Buffer>()
  server.on('newSession', (id, session, done) => {
    if (isResumable) sessions.set(id.toString('hex'), session)
    if (sessions.size > SESSIONS.max) {
      SESSIONS.hit()
      const [oldest] = sessions.keys()
      sessions.delete(oldest!)
    }
    done()
  })
  const findSession = (id: Buffer): Buffer | undefined => sessions.get(id.toString('hex'))
  server.on('resumeSession', (id, done) => done(null, findSession(id) ?? null))
  return { sessions: server, findSession }
}
