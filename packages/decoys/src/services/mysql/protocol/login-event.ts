// The event of a login.
import { readable } from '../../../session/readable.ts'
import type { DecoyEvent } from '../../../session/session.ts'
import type { Exchange } from './authentication.ts'
import { guessNative, guessSha2, UNKNOWN_PASSWORD } from './guess.ts'

/** `password`: as the client sent it; without it, it is looked for among the common ones. */
export function loginEvent(
  { login, salt, response }: Pick<Exchange, 'login' | 'salt' | 'response'>,
  password?: Buffer,
): DecoyEvent {
  return {
    logtype: '8001',
    fields: {
      USERNAME: readable(login.user),
      CLIENT_HASH: response.toString('hex'),
      SALT: salt.toString('hex'),
      PASSWORD: password ? readable(password.toString('latin1')) : guess(salt, response),
    },
  }
}

function guess(salt: Buffer, response: Buffer): string {
  if (response.length === 0) return ''
  return guessNative(salt, response) ?? guessSha2(salt, response) ?? UNKNOWN_PASSWORD
}

/** Some clients put quotation marks around the name. */
export const unquoted = (user: string): string =>
  /^'.*'$/s.test(user) && user.length > 1 ? user.slice(1, -1) : user
