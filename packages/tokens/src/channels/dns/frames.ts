// DNS over TCP: each message follows its length (RFC 1035, 4.2.2).

/** A query has a name of 255 bytes at the most and a few options. */
const MAX_FRAME_BYTES = 4_096

/** The whole messages at the start of `bytes`, `most` of them, and what is left; `isBroken` once a length is not one of a query. */
export function readFrames(
  bytes: Buffer,
  most = Infinity,
): { messages: Buffer[]; rest: Buffer; isBroken: boolean } {
  const messages: Buffer[] = []
  let at = 0
  while (at + 2 <= bytes.length && messages.length < most) {
    const length = bytes.readUInt16BE(at)
    if (length === 0 || length > MAX_FRAME_BYTES) return { messages, rest: Buffer.alloc(0), isBroken: true }
    if (at + 2 + length > bytes.length) break
    messages.push(bytes.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  return { messages, rest: bytes.subarray(at), isBroken: false }
}

export function writeFrame(message: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}
