// What a failure of PostgreSQL means: SQLSTATE (postgresql.org, "PostgreSQL Error Codes"), Node's codes, the driver's messages.
import type { FailureKind } from '../engine.ts'

const TRANSACTION_ROLLBACK = '40000'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const DISK_FULL = '53100'
const DATA_CORRUPTED = 'XX001'
const INDEX_CORRUPTED = 'XX002'
const READ_ONLY = '25006'
const LOCK_NOT_AVAILABLE = '55P03'
const QUERY_CANCELED = '57014'
const INVALID_PARAMETER = '22023'
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // Shut down, crashed, starting; too many connections; a standby that takes no writes.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  READ_ONLY,
  // A time limit has passed: idle in a transaction, idle, a lock, a statement.
  '25P03',
  '57P05',
  LOCK_NOT_AVAILABLE,
  QUERY_CANCELED,
  TRANSACTION_ROLLBACK,
])
/** The statement failed, and its connection stands. */
const REFUSED = new Set([READ_ONLY, LOCK_NOT_AVAILABLE, QUERY_CANCELED])

const LOST = /Connection terminated|not queryable|timeout exceeded when trying to connect|Query read timeout/

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

/** Nothing more can be asked over the connection. */
export const isLost = (error: unknown): error is Error => error instanceof Error && LOST.test(error.message)

/** The server has not answered in time, and may still be at work on the statement. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout'

export function diagnose(error: unknown): FailureKind {
  const code = codeOf(error)
  if (code === DISK_FULL) return 'full'
  if (code === DATA_CORRUPTED || code === INDEX_CORRUPTED) return 'damaged'
  return AWAY.has(code) || code.startsWith('08') || isLost(error) ? 'away' : 'other'
}

export const isCanceled = (error: unknown): boolean => codeOf(error) === QUERY_CANCELED

/** Of a COMMIT: its answer was cut, so that it may have succeeded. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  diagnose(error) === 'away' && !REFUSED.has(codeOf(error))

export const isInvalidParameter = (error: unknown): boolean => codeOf(error) === INVALID_PARAMETER

/** The connection was lost in COMMIT, and the server has rolled the transaction back. */
export class CommitAborted extends Error {
  readonly code = TRANSACTION_ROLLBACK
}

/** The transaction may be run again. */
export const isRetryable = (error: unknown): boolean =>
  [TRANSACTION_ROLLBACK, SERIALIZATION_FAILURE, DEADLOCK].includes(codeOf(error))
