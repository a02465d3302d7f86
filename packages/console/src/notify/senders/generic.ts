// Generic webhooks: the message as JSON, with the receiver's own headers, signed after Standard Webhooks 1.0.
import { plainObject } from '../message/plain.ts'
import { sign } from '../sign.ts'
import { judge, postJson } from './http.ts'
import type { Sender, Sending } from './sender.ts'

export const openGenericSender =
  (sending: Sending): Sender =>
  async ({ url, headers, secret }, message, messageId) => {
    const { clock } = sending.world
    const body = JSON.stringify(plainObject(message))
    const timestamp = Math.floor(clock.now() / 1000)
    const answer = await postJson(sending, {
      url,
      body,
      headers: {
        ...headers,
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        // What goes to a URL that nobody registered is not signed.
        ...(secret !== '' && { 'webhook-signature': sign(secret, messageId, timestamp, body) }),
      },
    })
    return judge(answer, clock.now())
  }
