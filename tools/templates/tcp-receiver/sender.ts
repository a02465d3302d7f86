// Some name: a line of JSON for each alert, over a connection of TCP that stays open.
import type { StreamTarget } from '@rookery/kernel/world.ts'
import type { Sender, SenderDeps } from '@rookery/console/notify/senders/sender.ts'
import { someNameMessage } from '../receiver/message.ts'

export const openSender =
  ({ world, timeoutMs }: SenderDeps): Sender =>
  async ({ settings }, message) => {
    const to: StreamTarget = {
      protocol: 'tcp',
      host: settings['host'] ?? '',
      port: Number(settings['port']),
      ca: '',
      cert: '',
      key: '',
      timeoutMs,
    }
    await world.outboundStream.send(to, Buffer.from(`${JSON.stringify(someNameMessage(message))}\n`))
    // Nothing answers: taken by the system is all that can be said.
    return { delivered: true, status: 0, reason: '', gone: false, retryAfterMs: 0 }
  }
