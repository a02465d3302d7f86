// A failed call, and what a person reads of it: title, text and what to do. The only place that explains faults.
import { words } from './words/en.ts'

interface FaultBody {
  readonly message?: string
  readonly error?: string
  readonly details?: Readonly<Record<string, string>>
  readonly request_id?: string
}

export class Problem extends Error {
  /** The code of the console's fault, or `not-connected`. */
  readonly code: string
  /** The reason for each wrong parameter, by name. */
  readonly details: Readonly<Record<string, string>>
  readonly requestId: string | undefined
  /** Seconds until another try makes sense. */
  readonly retryAfterS: number | undefined

  constructor(
    code: string,
    message: string,
    more: {
      readonly details?: Readonly<Record<string, string>> | undefined
      readonly requestId?: string | undefined
      readonly retryAfterS?: number | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'Problem'
    this.code = code
    this.details = more.details ?? {}
    this.requestId = more.requestId
    this.retryAfterS = more.retryAfterS
  }
}

export function problemOf(response: Response, body: object | undefined): Problem {
  const { message, error, details, request_id } = (body ?? {}) as FaultBody
  const retryAfter = Number(response.headers.get('Retry-After'))
  return new Problem(
    error ?? (response.status >= 500 ? 'unavailable' : 'unknown'),
    message ?? words.problem.unreadable(response.status),
    {
      details,
      requestId: request_id,
      ...(retryAfter > 0 && { retryAfterS: retryAfter }),
    },
  )
}

export interface Explained {
  readonly title: string
  readonly text: string
  /** The id under which the console's log has the details. */
  readonly requestId?: string | undefined
  readonly canRetry: boolean
}

/** What to show for an error of any kind. */
export function explain(error: unknown): Explained {
  if (!(error instanceof Problem)) return { ...words.problem.page, canRetry: true }
  switch (error.code) {
    case 'not-connected':
      return { ...words.problem.notConnected, canRetry: true }
    case 'internal':
      return { ...words.problem.internal, requestId: error.requestId, canRetry: true }
    case 'unavailable':
      return { title: words.problem.unavailable, text: error.message, canRetry: true }
    case 'no-cookie':
      return { title: words.session.noCookieTitle, text: error.message, canRetry: false }
    case 'unauthenticated':
      return { ...words.problem.signedOut, canRetry: false }
    case 'step-up':
      return { ...words.problem.stepUp, canRetry: true }
    case 'no-passkey':
      return { title: words.problem.noPasskey, text: error.message, canRetry: false }
    case 'forbidden':
      return { title: words.problem.forbidden, text: error.message, canRetry: false }
    case 'not-found':
      return { title: words.problem.notFound, text: error.message, canRetry: false }
    default:
      return { title: words.problem.refused, text: reasonsOf(error), canRetry: error.code === 'too-many' }
  }
}

/** What is wrong with each parameter, where the console says it: its message names no more than their names. */
function reasonsOf({ message, details }: Problem): string {
  const reasons = Object.entries(details).map(([name, reason]) => `${name} ${reason}`.replace(/\.?$/, '.'))
  return reasons.length === 0 ? message : reasons.join(' ')
}
