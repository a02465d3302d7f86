// The error that a console answers.

/** The body of an error; members may be missing when another server has answered. */
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
  /** The kind of error: `bad-input`, `unauthenticated`, `forbidden`, `not-found`, `conflict` … */
  readonly code: string
  /** The reason for each wrong parameter, by name. */
  readonly details: Readonly<Record<string, string>>
  /** The id of the request in the console's log. */
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
