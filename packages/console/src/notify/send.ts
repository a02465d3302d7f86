// The way to a receiver of any kind.
import type { Alerts } from './receivers.ts'
import { receiverKinds } from './receivers.gen.ts'
import { notSent, type Sender, type SenderDeps } from './senders/sender.ts'

/** `send` never throws. */
export function openSender(deps: SenderDeps): Pick<Alerts, 'send' | 'isConfigured'> {
  const senders = new Map(Object.entries(receiverKinds).map(([kind, it]) => [kind, it.openSender(deps)]))

  const send: Sender = async (to, message, messageId) => {
    const sender = senders.get(to.kind)
    if (!sender) return notSent(`This console knows no receivers of the kind ${to.kind}.`)
    try {
      return await sender(to, message, messageId)
    } catch (error) {
      return notSent((error as Error).message)
    }
  }
  return { send, isConfigured: (kind) => receiverKinds[kind]?.isConfigured?.(deps) ?? true }
}
