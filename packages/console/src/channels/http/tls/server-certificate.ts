// A certificate of the token host with its key, and what is wrong with its time and its names.
import { constants, type X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { canonicalRange } from '../../../addresses/ranges.ts'

export interface ServerCertificate {
  /** PEM: the server's own certificate, and behind it those of the authorities in between. */
  readonly chain: string
  /** PEM. */
  readonly key: string
  /** The server's own certificate. */
  readonly x509: X509Certificate
  /** Those of the authorities that vouch for it, as far as they are known. */
  readonly issuers: readonly X509Certificate[]
  /** Its file, for messages. */
  readonly origin: string
  /** What the operator does when it ends, as half a sentence. */
  readonly renewal: string
  /** How long before its end an operator must know of it; two weeks, unless it says so. */
  readonly soonMs?: number
}

/** What TLS needs of it. Throws where OpenSSL refuses it, such as for a key that is too short. */
export const contextOf = ({ chain, key }: Pick<ServerCertificate, 'chain' | 'key'>): SecureContext =>
  createSecureContext({
    cert: chain,
    key,
    // Without it Node.js loads all authorities of the world, some MiB, to judge the certificates of clients.
    ca: chain,
    minVersion: 'TLSv1.2',
    // Each renegotiation would cost another handshake.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  })

/** Whose certificate it is, in one line. */
export const holderOf = ({ subject, subjectAltName }: X509Certificate): string =>
  (subject || subjectAltName || 'nobody').replaceAll('\n', ', ')

/** The hosts and addresses that it is for, as operators write them: `files.example.com, ::1`; without any, its holder. */
export const namesOf = (x509: X509Certificate): string =>
  x509.subjectAltName
    ?.split(', ')
    .map((it) => it.replace(/^(DNS|IP Address):/, ''))
    .map((name) => canonicalRange(name) ?? name)
    .join(', ') ?? holderOf(x509)

/** As operators write it: `2027-11-23`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

const SOON_MS = 14 * 86_400_000

/** Sentences that say why clients refuse the certificate for its time, or soon will; none while it is valid. */
export const timeProblems = (
  { x509, issuers, ...end }: Omit<ServerCertificate, 'chain' | 'key'>,
  now: number,
): string[] => [x509, ...issuers].flatMap((it) => timeProblem(it, end, now) ?? [])

function timeProblem(
  x509: X509Certificate,
  { origin, renewal, soonMs = SOON_MS }: Pick<ServerCertificate, 'origin' | 'renewal' | 'soonMs'>,
  now: number,
): string | undefined {
  const { validFromDate, validToDate } = x509
  const isEarly = now < validFromDate.getTime()
  if (!isEarly && now < validToDate.getTime() - soonMs) return undefined
  const certificate = `The certificate of ${holderOf(x509)} in ${origin}`
  if (isEarly) return `${certificate} is valid from ${dayOf(validFromDate)} on: until then clients refuse it.`
  if (now >= validToDate.getTime())
    return `${certificate} expired on ${dayOf(validToDate)}, and clients refuse it: ${renewal}.`
  return `${certificate} expires on ${dayOf(validToDate)}: ${renewal}.`
}

/** Whether the certificate is for this host name or IP address. */
export function isFor({ x509 }: ServerCertificate, host: string): boolean {
  try {
    return (isIP(host) === 0 ? x509.checkHost(host) : x509.checkIP(host)) !== undefined
  } catch {
    // A name that no certificate can have.
    return false
  }
}
