// Team chat: one POST of an Adaptive Card to the channel's URL.
import { chatResult } from '../../formats/answer.ts'
import { cardMessage } from '../../formats/teams.ts'
import { postJson } from '../../senders/http.ts'
import type { Sender, SenderDeps } from '../../senders/sender.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url }, message) => {
    const answer = await postJson(deps, { url, headers: {}, body: JSON.stringify(cardMessage(message)) })
    return chatResult(answer, deps.world.clock.now())
  }
