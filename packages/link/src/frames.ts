// A frame on the wire. One frame is one message of the secure session.
//
//   0        1                 3
//   +--------+-----------------+---------------------------+
//   | code   | length (u16 BE) | body: JSON, UTF-8         |
//   +--------+-----------------+---------------------------+
//
// Code and body are listed in messages.ts. `length` counts the bytes of the body and must be exact.
import { Compile } from 'typebox/compile'
import { MESSAGES, type Body, type Frame, type FrameKind } from './messages.ts'

const HEADER = 3
/** A Noise message has at most 65,535 bytes (rev 34, section 3); 16 of them are the tag. */
export const MAX_FRAME_BYTES = 65_535 - 16
/** Most bytes of JSON in a frame. */
export const MAX_BODY_BYTES = MAX_FRAME_BYTES - HEADER

export type Decoded = { readonly frame: Frame } | { readonly problem: string }

const kinds = new Map<number, FrameKind>(
  (Object.keys(MESSAGES) as FrameKind[]).map((kind) => [MESSAGES[kind].code, kind]),
)
const utf8 = new TextDecoder('utf-8', { fatal: true })

interface Validator {
  Check(value: unknown): boolean
  Errors(value: unknown): { instancePath: string; message: string }[]
}
const validators = new Map<FrameKind, Validator>()

function validatorOf(kind: FrameKind): Validator {
  let validator = validators.get(kind)
  if (!validator) validators.set(kind, (validator = Compile(MESSAGES[kind].body) as unknown as Validator))
  return validator
}

/** Encodes a frame. Throws a RangeError when the body is longer than MAX_BODY_BYTES. */
export const encodeFrame = (frame: Frame): Buffer => encodeBody(frame.kind, JSON.stringify(frame.body))

/** Encodes a frame whose body is JSON text already, such as a batch of the spool's events. */
export function encodeBody(kind: FrameKind, json: string): Buffer {
  const length = Buffer.byteLength(json)
  if (length > MAX_BODY_BYTES) {
    throw new RangeError(`A ${kind} frame may have ${MAX_BODY_BYTES} bytes; this one has ${length}.`)
  }
  const bytes = Buffer.allocUnsafe(HEADER + length)
  bytes.writeUInt8(MESSAGES[kind].code, 0)
  bytes.writeUInt16BE(length, 1)
  bytes.write(json, HEADER)
  return bytes
}

/** Decodes one frame, which must fill `bytes`. Never throws: what is no frame comes back as a `problem`, a phrase for a log. */
export function decodeFrame(bytes: Uint8Array): Decoded {
  if (bytes.length < HEADER) return { problem: `a frame of ${bytes.length} bytes, shorter than its header` }
  const kind = kinds.get(bytes[0]!)
  if (!kind) return { problem: `unknown frame code ${bytes[0]}` }
  const length = bytes[1]! * 256 + bytes[2]!
  if (length !== bytes.length - HEADER) {
    return { problem: `${kind} frame claims ${length} bytes but has ${bytes.length - HEADER}` }
  }
  let body: unknown
  try {
    body = JSON.parse(utf8.decode(bytes.subarray(HEADER)))
  } catch {
    return { problem: `${kind} frame: the body is not JSON` }
  }
  return isValid(kind, body) ? { frame: { kind, body } as Frame } : { problem: describeError(kind, body) }
}

function isValid<K extends FrameKind>(kind: K, body: unknown): body is Body<K> {
  try {
    return validatorOf(kind).Check(body)
  } catch {
    return false
  }
}

function describeError(kind: FrameKind, body: unknown): string {
  const [first] = validatorOf(kind).Errors(body)
  if (!first) return `${kind} frame: the body is wrong`
  return `${kind} frame: ${first.instancePath.slice(0, 100) || 'the body'} ${first.message.slice(0, 200)}`
}
