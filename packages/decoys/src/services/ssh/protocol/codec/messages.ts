// Message numbers (RFC 4250, 4.1), and the two messages that every layer sends.
import { message, string, u32 } from './fields.ts'

export const MSG = {
  disconnect: 1,
  ignore: 2,
  unimplemented: 3,
  debug: 4,
  serviceRequest: 5,
  serviceAccept: 6,
  extInfo: 7,
  kexInit: 20,
  newKeys: 21,
  kexFirst: 30,
  kexReply: 31,
  gexInit: 32,
  gexReply: 33,
  gexRequest: 34,
  authRequest: 50,
  authFailure: 51,
  authBanner: 53,
  /** RFC 4256, and the token of GSSAPI (RFC 4462). After the first request OpenSSH closes at these two. */
  infoResponse: 61,
  gssapiComplete: 63,
  ping: 192,
  pong: 193,
} as const

/** OpenSSH formats a reason in a buffer of 1,024 bytes. */
const MAX_REASON_BYTES = 1023

/** As OpenSSH sends it: always SSH_DISCONNECT_PROTOCOL_ERROR, and no language tag. */
export const disconnect = (reason: string): Buffer =>
  message(MSG.disconnect, u32(2), string(Buffer.from(reason).subarray(0, MAX_REASON_BYTES)), string(''))

export const unimplemented = (sequence: number): Buffer => message(MSG.unimplemented, u32(sequence))
