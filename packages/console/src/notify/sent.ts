// What a receiver of any kind is sent: its sender runs, and what it would send is kept here and goes nowhere.
import type { World } from '@rookery/kernel/world.ts'
import type { Message } from './message/message.ts'
import { receiverKinds } from './receivers.gen.ts'
import type { SenderDeps, Sent, Target } from './senders/sender.ts'

/** Headers that are the same at each try and no secret; others may hold what the receiver authorises by. */
const OWN = new Set(['user-agent', 'content-type', 'webhook-id'])
/** A shorter word hides nothing. */
const SECRET = 4

/** Undefined for a kind that this console does not know, and where the operator has not set what it needs. */
export async function sentTo(
  deps: SenderDeps,
  to: Target,
  message: Message,
  messageId: string,
): Promise<Sent | undefined> {
  const kind = receiverKinds[to.kind]
  if (kind?.preview) return kind.preview(to, message, messageId)
  let sent: Sent | undefined
  const world: Pick<World, 'outbound' | 'outboundStream' | 'mail'> = {
    outbound: {
      send({ method, headers, body = '' }) {
        // What is only looked up is nothing that it is sent.
        if (method !== 'GET') sent ??= { method, headers: masked(headers), body: withoutSecrets(body, to) }
        return Promise.resolve({ status: 200, headers: {}, body: '{}' })
      },
    },
    outboundStream: {
      send({ protocol }, message) {
        sent ??= { method: protocol.toUpperCase(), headers: {}, body: Buffer.from(message).toString('utf8') }
        return Promise.resolve()
      },
      open: () => Promise.reject(new Error('A kind whose receivers answer over a stream has a preview.')),
    },
    mail: {
      send(letter) {
        sent ??= { method: 'MAIL', headers: { subject: letter.subject }, body: letter.text }
        return Promise.resolve({ refused: [] })
      },
    },
  }
  await kind?.openSender({ ...deps, world: { ...deps.world, ...world } })(to, message, messageId)
  return sent
}

const masked = (headers: Sent['headers']): Sent['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, OWN.has(name.toLowerCase()) ? value : '…']),
  )

const withoutSecrets = (body: string, { secret, headers, url }: Target): string =>
  [secret, url, ...Object.values(headers)]
    .filter((it) => it.length >= SECRET)
    .reduce((text, word) => text.replaceAll(word, '…'), body)
