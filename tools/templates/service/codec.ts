// Frames of Some name (RFC and section): bytes to frames and back, pure and total.
import type { Decoded } from '@rookery/decoys/session/session.ts'

/** A line without its end; `undefined` until a whole one is there. Never throws. */
export function decode(bytes: Buffer): Decoded<string> {
  const end = bytes.indexOf(10)
  return end < 0 ? undefined : { frame: bytes.toString('latin1', 0, end), length: end + 1 }
}
