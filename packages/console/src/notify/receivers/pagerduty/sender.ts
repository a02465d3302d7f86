import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../../message/facts.ts'
import { answered, postJson, resultOf, SAID } from '../../senders/http.ts'
import type { Sender, SenderDeps } from '../../senders/sender.ts'
import { pagerdutyEvent } from './message.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url, secret }, message, messageId) => {
    const body = JSON.stringify(pagerdutyEvent(message, messageId, secret))
    // The key stands in the body alone; an answer may repeat it.
    const given = await postJson(deps, { url, headers: {}, body })
    const answer = { ...given, body: given.body.replaceAll(secret, '…') }
    return resultOf(answer, deps.world.clock.now(), reason(answer))
  }

/** Its words, and what to do where they do not say. */
function reason(answer: OutboundAnswer): string {
  const { message, errors } = answered(answer)
  const said = [message, ...(Array.isArray(errors) ? (errors as unknown[]) : [])]
  const words = said.filter((it) => typeof it === 'string').join('; ')
  if (answer.status === 429) return 'the service takes no more events for now; they are sent later'
  if (answer.status !== 400 || words === '') return quoted(words, SAID)
  return quoted(`${words}; check the integration key in PagerDuty`, SAID)
}
