// Chat service: one POST of Block Kit to the incoming webhook of a channel.
import { quoted } from '../../message/facts.ts'
import { postJson, resultOf } from '../../senders/http.ts'
import type { Sender, SenderDeps } from '../../senders/sender.ts'
import { blockMessage } from './message.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url }, message) => {
    const answer = await postJson(deps, { url, headers: {}, body: JSON.stringify(blockMessage(message)) })
    // Its errors are single words, such as `channel_is_archived`.
    const reason = /^[a-z_]{1,60}$/.test(answer.body) ? quoted(answer.body) : ''
    return resultOf(answer, deps.world.clock.now(), reason)
  }
