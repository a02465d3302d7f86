// The way to a receiver of any kind.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { formatAt, serviceOf } from './formats/formats.ts'
import type { Notifier } from './receivers.ts'
import { receiverKinds } from './receivers.gen.ts'
import { sentTo } from './sent.ts'
import { notSent, type Sender, type SenderDeps } from './senders/sender.ts'

/** The format that a kind writes. */
function formatOf(kind: string): string | undefined {
  const descriptor = receiverKinds[kind]?.descriptor
  return descriptor?.madeBy === 'operations' ? descriptor.writes : undefined
}

/** `send` never throws. */
export function openSender(
  deps: SenderDeps,
): Pick<Notifier, 'send' | 'sentTo' | 'isConfigured' | 'refusal' | 'checkService'> {
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
  return {
    send,
    sentTo: (to, message, messageId) => sentTo(deps, to, message, messageId),
    isConfigured: (kind) => receiverKinds[kind]?.isConfigured?.(deps) ?? true,
    refusal: (kind) => receiverKinds[kind]?.refusal?.(deps),
    checkService(kind, { href, parameter }) {
      const found = formatAt(href)
      const own = formatOf(kind)
      if (!found?.isCertain || own === 'any' || own === found.name) return
      throw invalidParameter(
        parameter,
        `is of ${serviceOf(found.name)}, which takes messages of its own form: add it by POST /flock/settings/webhooks/generic/add`,
      )
    },
  }
}
