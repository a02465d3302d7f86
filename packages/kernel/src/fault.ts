// What can go wrong, in the words of the domain. Only console/http/fault-status.ts knows about HTTP.

export type FaultCode =
  | 'bad-input'
  | 'unauthenticated'
  | 'forbidden'
  /** A person must prove again who they are. */
  | 'step-up'
  | 'not-found'
  | 'method-not-allowed'
  | 'timeout'
  | 'conflict'
  | 'length-required'
  | 'too-large'
  | 'unsupported-media-type'
  | 'too-many'
  | 'unavailable'

export interface FaultDetail {
  /** Reasons by field name, as the caller spelt the fields. */
  readonly details?: Readonly<Record<string, string>>
  /** Seconds after which another try makes sense. */
  readonly retryAfterS?: number
  readonly cause?: unknown
}

/** A failure that the caller can understand and act upon; the message is shown to them as it is. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly details: Readonly<Record<string, string>> | undefined
  readonly retryAfterS: number | undefined

  constructor(code: FaultCode, message: string, detail: FaultDetail = {}) {
    super(message, { cause: detail.cause })
    this.name = 'Fault'
    this.code = code
    this.details = detail.details
    this.retryAfterS = detail.retryAfterS
  }
}

/** A parameter whose value cannot be taken; `reason` says what is right, such as `must be one line`. */
export const invalidParameter = (name: string, reason: string): Fault =>
  new Fault('bad-input', `Parameter ${name} was invalid.`, { details: { [name]: reason } })

/** The value, or a `not-found` fault with the message when there is none. */
export function required<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new Fault('not-found', message)
  return value
}
