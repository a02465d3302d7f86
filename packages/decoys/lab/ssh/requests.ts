// Requests of clients after the key exchange.
import { message, string } from '../../src/services/ssh/protocol/codec/fields.ts'
import { MSG } from '../../src/services/ssh/protocol/codec/messages.ts'

export const serviceRequest = (name: string): Buffer => message(MSG.serviceRequest, string(name))

const authRequest = (user: string, method: string, ...fields: readonly Buffer[]): Buffer =>
  message(MSG.authRequest, string(user), string('ssh-connection'), string(method), ...fields)

export const none = (user: string): Buffer => authRequest(user, 'none')

export const password = (user: string, text: string | Buffer): Buffer =>
  authRequest(user, 'password', Buffer.from([0]), string(text))

export const passwordChange = (user: string, old: string, text: string): Buffer =>
  authRequest(user, 'password', Buffer.from([1]), string(old), string(text))

export const publicKey = (user: string, algorithm: string, blob: Buffer, signature?: Buffer): Buffer =>
  authRequest(
    user,
    'publickey',
    Buffer.from([signature ? 1 : 0]),
    string(algorithm),
    string(blob),
    ...(signature ? [string(signature)] : []),
  )

export const otherMethod = (user: string, method: string, ...fields: readonly Buffer[]): Buffer =>
  authRequest(user, method, ...fields)
