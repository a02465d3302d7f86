// Who is signed in: the person of a session whose two halves came with the call, from the console's own page.
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Fault } from '@rookery/kernel/fault.ts'
import { SESSION_COOKIE } from '@rookery/kernel/session-cookie.ts'
import type { AppContext } from '../app-context.ts'
import { isLoopbackHost } from '../addresses/own-address.ts'
import { findSession, markSessionUsed } from '../stores/sessions/store.ts'
import { signInRules } from '../stores/settings/sign-in.ts'
import { readSettings } from '../stores/settings/store.ts'
import { flocksOf, hasFactor, NO_FLOCKS } from '../stores/users/store.ts'
import type { AccessLevel } from '../stores/users/tables.ts'

export interface Person {
  readonly sessionId: string
  readonly userId: string
  readonly email: string
  readonly accessLevel: AccessLevel
  /** Flocks, by the role that the person has there; none while the session lacks something. An admin needs none. */
  readonly managed: readonly string[]
  readonly watched: readonly string[]
  /** What keeps the session from everything else: the second factor was not given, or must be added first. */
  readonly lacks: 'nothing' | 'factor' | 'enrolment'
  /** Whether a password or a factor was shown in the last ten minutes. */
  readonly isProven: boolean
}

/** The person of the session; undefined without both halves, or after its end. */
export type ReadPerson = (request: FastifyRequest) => Promise<Person | undefined>

const HALF = /^[0-9a-f]{64}$/
const USED_EVERY_MS = 60_000
const PROVEN_MS = 600_000

export const hashHalf = (half: string): string => hash('sha256', half)

export function openReadPerson({
  reader,
  config,
  writer,
  world,
  log,
}: Pick<AppContext, 'reader' | 'config' | 'writer' | 'world' | 'log'>): ReadPerson {
  return async ({ headers }) => {
    const cookie = cookieOf(headers.cookie)
    const page = headers['x-rookery-page']
    if (cookie === undefined || typeof page !== 'string' || !HALF.test(page)) return undefined
    const now = world.clock.now()
    const rules = signInRules(await config.get('settings', readSettings))
    const session = await findSession(reader, hashHalf(cookie), now, rules)
    if (!session || !isEqual(session.page_hash, hashHalf(page))) return undefined
    if (now - session.used_at >= USED_EVERY_MS)
      writer
        .write((tx) => markSessionUsed(tx.query, session.session_id, now))
        .catch((error: unknown) => log.debug({ err: error }, 'could not store when a session was used'))
    const isEnrolling = rules.isFactorRequired && !hasFactor(session)
    const lacks = session.needs_factor === 1 ? 'factor' : isEnrolling ? 'enrolment' : 'nothing'
    return {
      sessionId: session.session_id,
      userId: session.user_id,
      email: session.email,
      accessLevel: session.access_level,
      ...(lacks === 'nothing' ? await flocksOf(reader, session.user_id) : NO_FLOCKS),
      lacks,
      isProven: now - session.proved_at <= PROVEN_MS,
    }
  }
}

/** The first cookie of the name; a second one, planted by another port of the host, is not looked at. */
function cookieOf(header: string | undefined): string | undefined {
  const value = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    ?.slice(SESSION_COOKIE.length + 1)
  return value !== undefined && HALF.test(value) ? value : undefined
}

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * Throws `forbidden` for a call that another site's page sent: `Origin`, where sent, must name the host that was asked, and
 * `Sec-Fetch-Site` must not be `cross-site` (OWASP, Cross-Site Request Forgery Prevention: Verifying Origin). Over HTTPS it must
 * be HTTPS as well: a page of port 80, such as a decoy's, names the same host as one of port 443.
 */
export function refuseForeignPage({
  headers,
  host,
  protocol,
}: Pick<FastifyRequest, 'headers' | 'host' | 'protocol'>): void {
  const { origin } = headers
  const from = URL.parse(origin ?? '')
  const isOwn =
    origin === undefined ||
    (from?.host === host.toLowerCase() && (protocol !== 'https' || from.protocol === 'https:'))
  if (isOwn && headers['sec-fetch-site'] !== 'cross-site') return
  throw new Fault('forbidden', 'A page of another site sent this call; only the console’s own page may.')
}

/** Whether a password may be typed at the address that was asked: HTTPS, or a loopback name, which no network carries. */
export const isSecure = ({ protocol, hostname }: Pick<FastifyRequest, 'protocol' | 'hostname'>): boolean =>
  protocol === 'https' || isLoopbackHost(hostname)

/** Throws `forbidden` where a password would go over a network in the clear. */
export function refuseInsecure(
  { isSecure }: { readonly isSecure: boolean },
  httpsUrl: string | undefined,
): void {
  if (isSecure) return
  const next = httpsUrl
    ? `Open ${httpsUrl}.`
    : 'Give the console a certificate (ROOKERY_TLS_LISTEN), or open it at http://127.0.0.1 on its own machine.'
  throw new Fault('forbidden', `This address is not encrypted, so passwords stay locked. ${next}`)
}
