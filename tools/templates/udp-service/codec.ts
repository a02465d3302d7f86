// Datagrams of Some name (RFC and section): bytes to messages and back, pure and total.
import type { Decoded } from '@rookery/decoys/session/session.ts'

export interface Message {
  readonly bytes: Buffer
}

/** A datagram is whole, or it is none of this protocol: `kind` says which, once there are several. Never throws. */
export const decode = (bytes: Buffer): Decoded<Message> => ({ frame: { bytes }, length: bytes.length })
