// What a failure of PostgreSQL means: SQLSTATE (postgresql.org, "PostgreSQL Error Codes"), Node's codes, the driver's messages.
import { printableText } from '@rookery/kernel/sanitize.ts'
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
/** Of sockets. Those of files, too many open ones among them, count only where connecting failed. */
const UNREACHABLE = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
])
/** The connection has ended with them: shut down, crashed, starting, dropped, idle too long; too many connections. */
const ENDED = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '53300', '25P03', TRANSACTION_ROLLBACK])
/** The statement failed, and its connection stands: a standby that takes no writes, a time limit. */
const HELD_UP = new Set([READ_ONLY, LOCK_NOT_AVAILABLE, QUERY_CANCELED])
/** A database of another: a right, or a table, that its owner takes away or has not given yet. */
const NOT_OURS = new Set(['42501', '42P01'])
/** Connection, authorization, catalog, resources, intervention of an operator, system, internal error. */
const AWAY_CLASSES = new Set(['08', '28', '3D', '53', '57', '58', 'XX'])
/** Errors of the values: of data, of a constraint, of a limit such as an index has. */
const VALUE_CLASSES = new Set(['22', '23', '54'])

const SQLSTATE = /^[\dFHPX][\dA-Z]{4}$/
const TLS = /^ERR_(SSL|TLS)_|CERT/
const LOST = /Connection terminated|not queryable|timeout exceeded when trying to connect|Query read timeout/

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

const sqlStateOf = (error: unknown): string | undefined =>
  SQLSTATE.test(codeOf(error)) ? codeOf(error) : undefined

/** No connection could be made, whatever the cause: a wrong password and an expired certificate are such causes. */
export class ConnectionFailure extends Error {
  readonly code: string

  constructor(cause: unknown) {
    super((cause as Error).message, { cause })
    this.code = codeOf(cause)
  }
}

/** Nothing more can be asked over the connection. */
export const isLost = (error: unknown): error is Error => error instanceof Error && LOST.test(error.message)

/** The server has not answered in time, and may still be at work on the statement. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout'

export function diagnose(error: unknown): FailureKind {
  const code = codeOf(error)
  if (code === DISK_FULL) return 'full'
  if (code === DATA_CORRUPTED || code === INDEX_CORRUPTED) return 'damaged'
  const isAway =
    error instanceof ConnectionFailure ||
    isLost(error) ||
    [UNREACHABLE, ENDED, HELD_UP, NOT_OURS].some((codes) => codes.has(code)) ||
    (SQLSTATE.test(code) ? AWAY_CLASSES.has(code.slice(0, 2)) : TLS.test(code))
  return isAway ? 'away' : 'other'
}

/** Ends the sentence for callers of the API, who do not get what the server said: it may name users and hosts. */
export const LOG_SAYS_WHY = " The console's log says why."

/** What a database that can be reached, or the way to it, said of an outage, in one line; undefined where nothing was said. */
export function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof Error) || LOST.test(error.message)) return undefined
  if ([UNREACHABLE, ENDED, HELD_UP].some((codes) => codes.has(codeOf(error)))) return undefined
  return outageReason(error)
}

/** Why the database is away, in the words of the server or the system, in one line; undefined for any other error. */
export function outageReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || diagnose(error) !== 'away') return undefined
  const said = printableText(messageOf(error)).slice(0, 300)
  const code = codeOf(error)
  return code === '' || said.includes(code) ? said : `${said} (${code})`
}

/** A host of several addresses has a failure for each, and no message of its own. */
function messageOf(error: Error): string {
  const origin = error instanceof ConnectionFailure ? error.cause : error
  return origin instanceof AggregateError
    ? origin.errors.map((each: Error) => each.message).join('; ')
    : error.message
}

/** The server refused a statement, and not for the values that it was given: whatever is stored next fails as well. */
export function isRefusalOfAny(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state !== undefined && !VALUE_CLASSES.has(state.slice(0, 2))
}

export const isRefusalOfValues = (error: unknown): boolean =>
  VALUE_CLASSES.has(sqlStateOf(error)?.slice(0, 2) ?? '')

export const isCanceled = (error: unknown): boolean => codeOf(error) === QUERY_CANCELED

/** Of a COMMIT: its answer was cut, so that it may have succeeded. A statement that failed on its connection has not. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (diagnose(error) !== 'away') return false
  const state = sqlStateOf(error)
  return state === undefined || ENDED.has(state) || state.startsWith('08')
}

export const isInvalidParameter = (error: unknown): boolean => codeOf(error) === INVALID_PARAMETER

/** The connection was lost in COMMIT, and the server has rolled the transaction back. */
export class CommitAborted extends Error {
  readonly code = TRANSACTION_ROLLBACK
}

/** The transaction may be run again. */
export const isRetryable = (error: unknown): boolean =>
  [TRANSACTION_ROLLBACK, SERIALIZATION_FAILURE, DEADLOCK].includes(codeOf(error))
