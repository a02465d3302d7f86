import { hostPortText } from '../../../addresses/host-port.ts'
import { parseReceiverHost } from '../../receiver-host.ts'
import { describeWebhook } from '../../receiver-kind.ts'
import { checkCertificates } from './checks.ts'
import type { Format } from './line.ts'

export type Protocol = 'udp' | 'tcp' | 'tls'

interface Given {
  readonly host: string
  readonly port?: number | undefined
  readonly protocol: Protocol
  readonly format: Format
  readonly ca?: string | undefined
  readonly client_cert?: string | undefined
  readonly client_key?: string | undefined
  readonly tried_logins: boolean
}

/** IANA: syslog over UDP, over TLS (RFC 5425); over TCP there is no number of its own. */
const USUAL_PORT = { udp: 514, tcp: 514, tls: 6514 } as const

export const descriptor = describeWebhook({
  kind: 'syslog',
  title: 'Syslog',
  help: 'Messages of RFC 5424 to a collector, one line of at most 8 KiB each. Syslog has no acknowledgement: what the system took counts as delivered.',
  isUnlimited: true,
  parse: ({
    host,
    port,
    protocol,
    format,
    ca = '',
    client_cert = '',
    client_key = '',
    tried_logins,
  }: Given) => {
    const name = parseReceiverHost(host)
    const at = hostPortText(name, port ?? USUAL_PORT[protocol])
    checkCertificates(protocol, { ca, client_cert, client_key })
    const href = `${protocol}://${at}`
    return {
      url: { given: href, href, parameter: 'host', host: at },
      secret: client_key,
      settings: {
        host: name,
        port: String(port ?? USUAL_PORT[protocol]),
        protocol,
        format,
        ca,
        cert: client_cert,
        passwords: tried_logins ? 'yes' : 'no',
      },
    }
  },
  view: ({ webhookId, settings }) => ({
    webhook_id: webhookId,
    host: settings['host'] ?? '',
    port: Number(settings['port']),
    protocol: settings['protocol'] as Protocol,
    format: settings['format'] as Format,
    has_client_certificate: settings['cert'] !== '',
    tried_logins: settings['passwords'] === 'yes',
  }),
  info: { field: 'syslog', holds: 'many' },
})
