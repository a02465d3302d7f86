// Chat service: one POST of Block Kit to the incoming webhook of a channel.
import { chatResult } from '../../formats/answer.ts'
import { blockMessage } from '../../formats/slack.ts'
import { postJson } from '../../senders/http.ts'
import type { Sender, SenderDeps } from '../../senders/sender.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url }, message) => {
    const answer = await postJson(deps, { url, headers: {}, body: JSON.stringify(blockMessage(message)) })
    return chatResult(answer, deps.world.clock.now())
  }
