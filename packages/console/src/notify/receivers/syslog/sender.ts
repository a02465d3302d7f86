// One alert is one message: over TCP and TLS with its length before it (RFC 6587, 3.4.1; RFC 5425, 4.3), over UDP alone (RFC 5426).
import type { StreamTarget } from '@rookery/kernel/world.ts'
import type { Sender, SenderDeps } from '../../senders/sender.ts'
import type { Protocol } from './descriptor.ts'
import { syslogMessage, type Format } from './line.ts'

export const openSender =
  ({ world, timeoutMs }: SenderDeps): Sender =>
  async ({ settings, secret }, message, messageId) => {
    const protocol = settings['protocol'] as Protocol
    const line = syslogMessage(message, messageId, {
      format: settings['format'] as Format,
      passwords: settings['passwords'] === 'yes',
    })
    const to: StreamTarget = {
      protocol,
      host: settings['host'] ?? '',
      port: Number(settings['port']),
      ca: settings['ca'] ?? '',
      cert: settings['cert'] ?? '',
      key: secret,
      timeoutMs,
    }
    const framed = protocol === 'udp' ? line : Buffer.concat([Buffer.from(`${line.length} `), line])
    await world.outboundStream.send(to, framed)
    // No receiver of syslog answers: taken by the system is all that can be said.
    return { delivered: true, status: 0, reason: '', gone: false, retryAfterMs: 0 }
  }
