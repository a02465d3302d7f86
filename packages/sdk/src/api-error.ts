// What a console answers instead of success.

/** The body of an error, as far as it came. */
export interface ErrorBody {
  readonly result?: string
  readonly message?: string
  readonly error?: string
  readonly details?: Record<string, string>
  readonly request_id?: string
}

export class ApiError extends Error {
  /** The HTTP status. */
  readonly status: number
  /** What kind of error it is: `bad-input`, `unauthenticated`, `forbidden`, `not-found`, `conflict` … */
  readonly code: string
  /** Parameter to what is wrong with it. */
  readonly details: Readonly<Record<string, string>>
  /** Names the request in the console's log. */
  readonly requestId: string

  constructor(status: number, body: ErrorBody) {
    super(body.message ?? `The console answered ${status}.`)
    this.name = 'ApiError'
    this.status = status
    this.code = body.error ?? 'unknown'
    this.details = body.details ?? {}
    this.requestId = body.request_id ?? ''
  }
}
