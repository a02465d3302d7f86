// When a certificate by ACME is renewed, and when an order that failed is tried again. Pure.
import type { X509Certificate } from 'node:crypto'

type Validity = Pick<X509Certificate, 'validFromDate' | 'validToDate' | 'raw'>

/** The part of its life after which a certificate is renewed. */
const RENEWED_AFTER = 2 / 3
/** The part over which renewals are spread: those who began on one day must not all come back on one. */
const SPREAD = 1 / 60

/** The same on every console: the certificate's own bytes say where in the spread it lies. */
export function renewalAt({ validFromDate, validToDate, raw }: Validity): number {
  const from = validFromDate.getTime()
  const life = validToDate.getTime() - from
  const share = (raw.at(-1) ?? 0) / 256
  return Math.round(from + life * (RENEWED_AFTER + SPREAD * share))
}

const DAY_MS = 86_400_000
const SOON_MS = 14 * DAY_MS

/** How long before its end an operator must know of it: a fortnight, or half of what renewals have left of a shorter life. */
export const soonMs = ({ validFromDate, validToDate }: Validity): number =>
  Math.min(SOON_MS, (validToDate.getTime() - validFromDate.getTime()) / 6)

const FIRST_RETRY_MS = 300_000
const MAX_RETRY_MS = DAY_MS / 4
const JITTER = 0.2
/** The rate limits of public authorities last a week at most. */
const MAX_WISH_MS = 7 * DAY_MS

/** Milliseconds to the next order after `failures` of them; `jitter` is from 0 to 1. Never less than the server asked for. */
export function retryDelay(failures: number, jitter: number, retryAfterMs = 0): number {
  const delay = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS)
  return Math.max(Math.round(delay * (1 + JITTER * jitter)), Math.min(retryAfterMs, MAX_WISH_MS))
}
