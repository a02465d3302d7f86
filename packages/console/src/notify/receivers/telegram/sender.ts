import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../../message/facts.ts'
import { answered, postJson, resultOf, SAID } from '../../senders/http.ts'
import type { Sender, SenderDeps } from '../../senders/sender.ts'
import { telegramText } from './message.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url, secret, settings }, message) => {
    const given = await postJson(deps, {
      url: new URL(`/bot${secret}/sendMessage`, url).href,
      headers: {},
      body: JSON.stringify({
        chat_id: settings['chat'],
        text: telegramText(message),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      }),
    })
    const answer = { ...given, body: given.body.replaceAll(secret, '…') }
    const { description, parameters } = answered(answer) as Said
    const result = resultOf(answer, deps.world.clock.now(), explained(answer, description, parameters))
    const seconds = parameters?.retry_after
    return { ...result, retryAfterMs: result.retryAfterMs || waitMs(result.delivered ? 0 : seconds) }
  }

/** "Making requests" and "ResponseParameters" of the Bot API. */
interface Said {
  readonly description?: unknown
  readonly parameters?: { readonly retry_after?: unknown; readonly migrate_to_chat_id?: unknown }
}

const waitMs = (seconds: unknown): number =>
  typeof seconds === 'number' && seconds > 0 && seconds < 1e6 ? Math.ceil(seconds * 1_000) : 0

/** Its words, and what to do. */
function explained({ status }: OutboundAnswer, description: unknown, parameters: Said['parameters']): string {
  const words = typeof description === 'string' ? description : ''
  const moved = parameters?.migrate_to_chat_id
  if (typeof moved === 'number') return quoted(`${words}; add it again with the chat ${moved}`, SAID)
  const advice: Readonly<Record<number, string>> = {
    401: 'it does not know the token; add it again with a new one',
    403: 'add the bot to the chat, and let it write there',
    404: 'it does not know the token; add it again with a new one',
  }
  const what = /chat not found/i.test(words) ? 'check the chat, and add the bot to it' : advice[status]
  return quoted([words, what].filter((it) => it !== undefined && it !== '').join('; '), SAID)
}
