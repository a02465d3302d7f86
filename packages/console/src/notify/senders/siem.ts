// Event collector (HEC): one event in a POST, authorised by a token. Where the token asks for acknowledgement, the server
// answers an ackId; the message is delivered only when the server says that it has stored it.
import { createHash } from 'node:crypto'
import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../message/facts.ts'
import type { Message } from '../message/message.ts'
import { plainObject } from '../message/plain.ts'
import { judge, postJson } from './http.ts'
import type { Sender, Sending, Target, Verdict } from './sender.ts'

export const openSiemSender =
  (sending: Sending): Sender =>
  async (to, message, messageId) => {
    const { clock } = sending.world
    const answer = await ask(sending, to, 'event', collected(message, messageId))
    const verdict = judge(answer, clock.now(), said(answer))
    const ackId = verdict.passed ? json(answer)['ackId'] : undefined
    if (typeof ackId !== 'number') return verdict
    return acknowledged(sending, to, ackId, message.subject === 'test' ? sending.timeoutMs : ACK_MS)
  }

const collected = (message: Message, messageId: string): object => ({
  time: message.at / 1000,
  host: new URL(message.consoleUrl).hostname,
  source: 'rookery',
  sourcetype: 'rookery:incident',
  // A message may come twice: its id is the same.
  event: { ...plainObject(message), MessageID: messageId },
})

/** Storing may take a while: only then is the message taken for lost, and sent again. */
const ACK_MS = 60_000
const FIRST_MS = 100
const LONGEST_MS = 5_000

/** Asks until the server has stored the event. */
async function acknowledged(sending: Sending, to: Target, ackId: number, most: number): Promise<Verdict> {
  const { clock } = sending.world
  const until = clock.now() + most
  for (let pause = FIRST_MS; ; pause = Math.min(2 * pause, LONGEST_MS)) {
    await new Promise<void>((resolve) => clock.after(pause, resolve))
    const answer = await ask(sending, to, 'ack', { acks: [ackId] })
    const verdict = judge(answer, clock.now(), said(answer))
    const acks = json(answer)['acks'] as Readonly<Record<string, unknown>> | undefined
    if (!verdict.passed || acks?.[String(ackId)] === true) return verdict
    if (clock.now() < until) continue
    return {
      ...verdict,
      passed: false,
      reason: `It took the message, but did not acknowledge it within ${most / 1000} s.`,
    }
  }
}

const ask = (sending: Sending, to: Target, what: 'event' | 'ack', body: object): Promise<OutboundAnswer> =>
  postJson(sending, {
    url: `${to.url}/services/collector/${what}`,
    headers: { authorization: `Splunk ${to.secret}`, 'x-splunk-request-channel': channel(to.webhookId) },
    body: JSON.stringify(body),
  })

/** A receiver's channel: a UUID (RFC 9562, version 8) that is always the same. */
function channel(webhookId: string): string {
  const hex = createHash('sha256').update(webhookId).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function json({ body }: OutboundAnswer): Readonly<Record<string, unknown>> {
  try {
    const parsed = JSON.parse(body) as unknown
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** What the server itself gives as a reason, such as `Invalid token`. */
const said = (answer: OutboundAnswer): string => {
  const { text } = json(answer)
  return typeof text === 'string' ? quoted(text) : ''
}
