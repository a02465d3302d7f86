// WireGuard: the first message of a handshake, from which the client's public key can be read.
import { printableText } from '@rookery/kernel/sanitize.ts'
import { channel } from '../../channel.ts'
import type { WireguardVisit } from './visit.ts'

export default channel<WireguardVisit, undefined>({
  name: 'wireguard',
  // Without an answer, a client tries again every 5 s for as long as its interface is up.
  visitMs: 300_000,
  visitor: ({ srcHost }) => srcHost,
  eventName: () => '',
  // Everything else of a visit is a number, or text that its codec wrote.
  sanitize: (visit) => ({ ...visit, srcHost: printableText(visit.srcHost) }),
  blank: () => undefined,
})
