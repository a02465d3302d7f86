// Headers of every answer of the console, errors included: some answers hold keys, and all hold what attackers wrote.
import { VERSION } from '../version.ts'

export type SecurityHeaders = Readonly<Record<string, string>>

const ALWAYS: SecurityHeaders = {
  'Cache-Control': 'no-store',
  // A page that loads something sets a policy of its own.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  /** A page that an older console served offers to be loaded anew. */
  'X-Rookery-Version': VERSION,
}

const YEAR_S = 31_536_000

/** Where people come by https, browsers are asked to use nothing else (RFC 6797). */
export const securityHeaders = (isByHttps: boolean): SecurityHeaders =>
  isByHttps ? { ...ALWAYS, 'Strict-Transport-Security': `max-age=${YEAR_S}` } : ALWAYS
