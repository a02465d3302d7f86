// Event collector (HEC): one event in a POST, authorised by a token. Where the token asks for acknowledgement, the server
// answers an ackId; the message is delivered only when the server says that it has stored it.
import { createHash } from 'node:crypto'
import { uuid } from '@rookery/kernel/ids.ts'
import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../../message/facts.ts'
import { answered as json, postJson, resultOf } from '../../senders/http.ts'
import type { Sender, SenderDeps, SendResult, Target } from '../../senders/sender.ts'
import { collectorEvent } from './message.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async (to, message, messageId) => {
    const { clock } = deps.world
    const answer = await ask(deps, to, 'event', collectorEvent(message, messageId))
    const result = resultOf(answer, clock.now(), serverReason(answer))
    const ackId = result.delivered ? json(answer)['ackId'] : undefined
    if (typeof ackId !== 'number') return result
    return acknowledged(deps, to, ackId, message.subject === 'test' ? deps.timeoutMs : ACK_MS)
  }

/** Storing may take a while: only then is the message taken for lost, and sent again. */
const ACK_MS = 60_000
const FIRST_MS = 100
const MAX_MS = 5_000

/** Asks until the server has stored the event. */
async function acknowledged(
  deps: SenderDeps,
  to: Target,
  ackId: number,
  waitMs: number,
): Promise<SendResult> {
  const { clock } = deps.world
  const until = clock.now() + waitMs
  for (let pause = FIRST_MS; ; pause = Math.min(2 * pause, MAX_MS)) {
    await new Promise<void>((resolve) => clock.after(pause, resolve))
    const answer = await ask(deps, to, 'ack', { acks: [ackId] })
    const result = resultOf(answer, clock.now(), serverReason(answer))
    const acks = json(answer)['acks'] as Readonly<Record<string, unknown>> | undefined
    if (!result.delivered || acks?.[String(ackId)] === true) return result
    if (clock.now() < until) continue
    return {
      ...result,
      delivered: false,
      reason: `It took the message, but did not acknowledge it within ${waitMs / 1000} s.`,
    }
  }
}

const ask = (deps: SenderDeps, to: Target, what: 'event' | 'ack', body: object): Promise<OutboundAnswer> =>
  postJson(deps, {
    url: `${to.url}/services/collector/${what}`,
    headers: { authorization: `Splunk ${to.secret}`, 'x-splunk-request-channel': channel(to.webhookId) },
    body: JSON.stringify(body),
  })

/** A receiver's channel: a UUID (RFC 9562, version 8) that is always the same. */
const channel = (webhookId: string): string =>
  uuid(createHash('sha256').update(webhookId).digest('hex'), '8', 'a')

/** What the server itself gives as a reason, such as `Invalid token`. */
const serverReason = (answer: OutboundAnswer): string => {
  const { text } = json(answer)
  return typeof text === 'string' ? quoted(text) : ''
}
