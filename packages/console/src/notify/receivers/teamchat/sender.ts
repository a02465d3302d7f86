// Team chat: one POST of an Adaptive Card to the channel's URL.
import { postJson, resultOf } from '../../senders/http.ts'
import { notSent, type Sender, type SenderDeps } from '../../senders/sender.ts'
import { cardMessage } from './message.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url }, message) => {
    const answer = await postJson(deps, { url, headers: {}, body: JSON.stringify(cardMessage(message)) })
    // Some of these services answer 200, and in the text that the channel did not take it.
    const [, inner] = /delivery failed with error:.*?HTTP error (\d{3})/is.exec(answer.body) ?? []
    if (inner !== undefined) return { ...notSent(`Its channel answered ${inner}.`), status: Number(inner) }
    return resultOf(answer, deps.world.clock.now())
  }
