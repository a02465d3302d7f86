// RFB 3.3 to 3.8 (RFC 6143), the messages before a login: of which length the next one of the client is.
//
//   version      12   `RFB 003.008` and a line feed
//   type          1   the chosen security type
//   response     16   the challenge, encrypted with the password
//   VeNCrypt      2   its version, one byte after another
//   sub-type      4   the chosen one
//   Tight         4   the chosen way to log in
import type { Decoded, Incomplete } from '../../../session/session.ts'

export type Stage = 'version' | 'type' | 'response' | 'vencrypt-version' | 'sub-type' | 'tight-type' | 'over'

export const CHALLENGE_BYTES = 16

const LENGTHS: Readonly<Record<Stage, number>> = {
  version: 12,
  type: 1,
  response: CHALLENGE_BYTES,
  'vencrypt-version': 2,
  'sub-type': 4,
  'tight-type': 4,
  over: Infinity,
}

export interface Message {
  /** As it was sent; the stage says what it means. */
  readonly bytes: Buffer
  /** Bytes that came with it, and lie behind it. */
  readonly behind: number
}

/** `atLeast`: the server does not look at what it has before so many bytes are there. */
export function decode(
  bytes: Buffer,
  { stage, atLeast }: { readonly stage: Stage; readonly atLeast: number },
): Decoded<Message> | Incomplete {
  const length = LENGTHS[stage]
  const least = Math.max(length, atLeast)
  if (bytes.length < least) return least === Infinity ? undefined : { atLeast: least }
  const message = { bytes: Buffer.from(bytes.subarray(0, length)), behind: bytes.length - length }
  return { frame: message, length }
}

export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A text behind its length. */
export const text = (value: string): Buffer =>
  Buffer.concat([u32(value.length), Buffer.from(value, 'latin1')])
