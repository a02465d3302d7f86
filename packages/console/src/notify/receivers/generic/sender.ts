// Generic webhooks: one POST of JSON in the receiver's format, with its own headers, signed after Standard Webhooks 1.0.
import { chatResult } from '../../formats/answer.ts'
import { chatFormats, formatAt } from '../../formats/formats.ts'
import { fillTemplate } from '../../formats/template.ts'
import { withoutPasswords } from '../../message/fields.ts'
import { alertPayload } from '../../message/payload.ts'
import type { Message } from '../../message/message.ts'
import { postJson, resultOf } from '../../senders/http.ts'
import type { Sender, SenderDeps, Target } from '../../senders/sender.ts'
import { formatOf, sendsPasswords } from './format.ts'
import { sign } from './sign.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async (to, message, messageId) => {
    const { clock } = deps.world
    const { url, body } = posted(to, message)
    const timestamp = Math.floor(clock.now() / 1000)
    const answer = await postJson(deps, {
      url,
      body,
      headers: {
        ...to.headers,
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        // What goes to a URL that nobody registered is not signed.
        ...(to.secret !== '' && { 'webhook-signature': sign(to.secret, messageId, timestamp, body) }),
      },
    })
    const isChat = chatFormats.has(formatOf(to)) || formatAt(to.url)?.isCertain === true
    return (isChat ? chatResult : resultOf)(answer, clock.now())
  }

function posted(to: Target, message: Message): { readonly url: string; readonly body: string } {
  const format = chatFormats.get(formatOf(to))
  const { template } = to.settings
  if (format) {
    const { at, body } = format
    return {
      url: at ? at(new URL(to.url)) : to.url,
      body: JSON.stringify(body(sendsPasswords(to) ? message : withoutPasswords(message), new URL(to.url))),
    }
  }
  const body =
    template === undefined ? JSON.stringify(alertPayload(message)) : fillTemplate(template, message)
  return { url: to.url, body }
}
