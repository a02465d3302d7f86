// The NetBIOS session service (RFC 1002, 4.3) on port 139: a session is asked for before the first message.
//
//   byte    0          1          2 … 3        4 … 37         38 … 71
//        ┌──────┬─────────────┬────────────┬──────────────┬───────────────┐
//        │ type │ flags       │ length, BE │ called name  │ calling name  │
//        └──────┴─────────────┴────────────┴──────────────┴───────────────┘
import type { Decoded, Incomplete } from '../../../../session/session.ts'
import { decodeName } from './names.ts'

const SESSION_REQUEST = 0x81
export const KEEP_ALIVE = 0x85
const HEAD_BYTES = 4
const NAMES_BYTES = 68

/** A session that is asked for, by the called name without its padding; undefined when it is something else. */
export interface SessionRequest {
  readonly kind: 'session-request'
  readonly called: string | undefined
}

/** What comes before the session stands: a request, or bytes that are none. */
export function readSessionRequest(bytes: Buffer): Decoded<SessionRequest> | Incomplete {
  if (bytes.length < HEAD_BYTES) return undefined
  const length = bytes.readUInt16BE(2)
  if (bytes[0] !== SESSION_REQUEST || bytes[1] !== 0 || length !== NAMES_BYTES)
    return { frame: { kind: 'session-request', called: undefined }, length: bytes.length }
  const end = HEAD_BYTES + length
  if (bytes.length < end) return { atLeast: end }
  const called = decodeName(bytes.subarray(HEAD_BYTES + 1, HEAD_BYTES + 33))
    .slice(0, 15)
    .trimEnd()
  return { frame: { kind: 'session-request', called }, length: end }
}

export const POSITIVE_RESPONSE = Buffer.from([0x82, 0, 0, 0])

/** 0x82: the called name is not here. 0x8f: an unspecified error, as Windows answers what is no request. */
export const negativeResponse = (reason: 0x82 | 0x8f): Buffer => Buffer.from([0x83, 0, 0, 1, reason])
