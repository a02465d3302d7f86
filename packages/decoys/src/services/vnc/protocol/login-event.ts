// The event of one try: what a login says of the password, the challenge and the response.
import { readable } from '../../../session/readable.ts'
import type { DecoyEvent } from '../../../session/session.ts'
import { guessPassword, UNKNOWN_PASSWORD } from './guess.ts'

/** Without a response the client left, or its user did, when a password was asked for. */
export function loginEvent(sent: Buffer, response: Buffer): DecoyEvent {
  return {
    logtype: '12001',
    fields: {
      PASSWORD: response.length === 0 ? '' : readable(guessPassword(sent, response) ?? UNKNOWN_PASSWORD),
      SERVER_CHALLENGE: sent.toString('hex'),
      CLIENT_RESPONSE: response.toString('hex'),
    },
  }
}
