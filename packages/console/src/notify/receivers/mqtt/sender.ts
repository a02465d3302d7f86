// One alert is one message, over a connection of its own: it was delivered when the broker has acknowledged it (QoS 1).
import { hex } from '@rookery/kernel/ids.ts'
import { fieldsOf, withoutPasswords } from '../../message/fields.ts'
import type { Message } from '../../message/message.ts'
import { alertPayload } from '../../message/payload.ts'
import type { Publication } from '../../senders/mqtt-packets.ts'
import { openMqttSession } from '../../senders/mqtt-session.ts'
import type { Sender, SenderDeps, Sent, Target } from '../../senders/sender.ts'
import { alertTopic } from './topics.ts'

/** 3.1.3.1: every broker takes 23 letters and digits. */
export const clientId = (id: string): string => `rookery${id.slice(0, 16)}`

export const openSender =
  (deps: SenderDeps): Sender =>
  async (to, message, messageId) => {
    const session = await openMqttSession(deps, to, { clientId: clientId(hex(deps.world.random, 16)) })
    await session.publish([alertOf(to, message, messageId)]).finally(session.end)
    return { delivered: true, status: 0, reason: '', gone: false, retryAfterMs: 0 }
  }

export function preview(to: Target, message: Message, messageId: string): Sent {
  const { topic, payload } = alertOf(to, message, messageId)
  return { method: 'PUBLISH', headers: { topic }, body: payload }
}

/** Home Assistant reads `event_type`. */
function alertOf({ settings }: Target, message: Message, messageId: string): Publication {
  const { level } = fieldsOf(message, messageId, false)
  const about = { event_type: message.subject, message_id: messageId, level }
  return {
    topic: alertTopic(settings['prefix'] ?? '', message.flock.id),
    payload: JSON.stringify({ ...about, ...alertPayload(withoutPasswords(message)) }),
    retain: false,
  }
}
