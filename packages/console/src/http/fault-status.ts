// The only place where a fault becomes HTTP; a code without a status does not compile.
import type { FaultCode } from '@rookery/kernel/fault.ts'

export const STATUS = {
  'bad-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'step-up': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  timeout: 408,
  conflict: 409,
  'length-required': 411,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many': 429,
  unavailable: 503,
} as const satisfies Record<FaultCode, number>
