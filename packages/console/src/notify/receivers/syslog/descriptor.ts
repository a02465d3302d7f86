import { X509Certificate, createPrivateKey } from 'node:crypto'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { hostPortText } from '../../../net/host-port.ts'
import { describeWebhook } from '../../receiver-kind.ts'
import { FORMATS } from './line.ts'

export const PROTOCOLS = ['udp', 'tcp', 'tls'] as const
export type Protocol = (typeof PROTOCOLS)[number]

interface Given {
  readonly host: string
  readonly port?: number | undefined
  readonly protocol: Protocol
  readonly format: (typeof FORMATS)[number]
  readonly ca?: string | undefined
  readonly client_cert?: string | undefined
  readonly client_key?: string | undefined
  readonly tried_logins: boolean
}

/** IANA: syslog over UDP, over TLS (RFC 5425); over TCP there is no number of its own. */
const USUAL_PORT = { udp: 514, tcp: 514, tls: 6514 } as const

export const descriptor = describeWebhook({
  kind: 'syslog',
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
    const name = checkedHost(host)
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
    format: settings['format'] as (typeof FORMATS)[number],
    has_client_certificate: settings['cert'] !== '',
    tried_logins: settings['passwords'] === 'yes',
  }),
  info: { field: 'syslog', holds: 'many' },
})

function checkedHost(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  const name = isIP(bare) === 0 ? domainToASCII(bare) : bare
  if (name === '' || (/[/:@]/.test(text) && isIP(bare) === 0))
    throw invalidParameter('host', 'must be a domain name or an IP address, without scheme, port or path')
  return name
}

function checkCertificates(
  protocol: Protocol,
  { ca, client_cert, client_key }: Record<'ca' | 'client_cert' | 'client_key', string>,
): void {
  const given = Object.entries({ ca, client_cert, client_key }).filter(([, pem]) => pem !== '')
  const [first] = given
  if (first && protocol !== 'tls') throw invalidParameter(first[0], 'is for the protocol tls alone')
  if ((client_cert === '') !== (client_key === ''))
    throw invalidParameter(client_cert === '' ? 'client_cert' : 'client_key', 'is required with the other')
  for (const [name, pem] of given) {
    if (name === 'client_key') privateKey(pem)
    else certificate(name, pem)
  }
  if (client_cert !== '' && !certificate('client_cert', client_cert).checkPrivateKey(privateKey(client_key)))
    throw invalidParameter('client_key', 'is not the key of client_cert')
}

function certificate(name: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw invalidParameter(name, 'must be a certificate as PEM text (-----BEGIN CERTIFICATE-----)')
  }
}

function privateKey(pem: string) {
  try {
    return createPrivateKey(pem)
  } catch {
    throw invalidParameter('client_key', 'must be a private key as PEM text, without a passphrase')
  }
}
