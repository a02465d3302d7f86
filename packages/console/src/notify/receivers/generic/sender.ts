// Generic webhooks: the payload as JSON, with the receiver's own headers, signed after Standard Webhooks 1.0.
import { alertPayload } from '../../message/payload.ts'
import { postJson, resultOf } from '../../senders/http.ts'
import type { Sender, SenderDeps } from '../../senders/sender.ts'
import { sign } from './sign.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url, headers, secret }, message, messageId) => {
    const { clock } = deps.world
    const body = JSON.stringify(alertPayload(message))
    const timestamp = Math.floor(clock.now() / 1000)
    const answer = await postJson(deps, {
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
    return resultOf(answer, clock.now())
  }
