// Some name: one POST to the receiver's URL.
import { postJson, resultOf } from '@rookery/console/notify/senders/http.ts'
import type { Sender, SenderDeps } from '@rookery/console/notify/senders/sender.ts'
import { someNameMessage } from './message.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url }, message) => {
    const body = JSON.stringify(someNameMessage(message))
    return resultOf(await postJson(deps, { url, headers: {}, body }), deps.world.clock.now())
  }
