// Message numbers (RFC 4250, 4.1) and the few messages that every layer sends.
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
  ping: 192,
  pong: 193,
} as const

/** OpenSSH prints its reasons into 1,024 bytes. */
const REASON_BYTES = 1023

/** Every disconnect of OpenSSH bears SSH_DISCONNECT_PROTOCOL_ERROR and an empty language. */
export const disconnect = (reason: string): Buffer =>
  message(MSG.disconnect, u32(2), string(Buffer.from(reason).subarray(0, REASON_BYTES)), string(''))

export const unimplemented = (sequence: number): Buffer => message(MSG.unimplemented, u32(sequence))
