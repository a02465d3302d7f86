import { invalidParameter } from '@rookery/kernel/fault.ts'
import { describeWebhook } from '../../receiver-kind.ts'
import type { ReceiverUrl } from '../../receiver-url.ts'

interface Given {
  readonly host: string
  readonly port: string
  readonly token: string
}

export const descriptor = describeWebhook({
  kind: 'siem',
  title: 'Event collector',
  help: 'Events of an HTTP event collector (HEC), always over TLS. A Flock has at most one. An authority of your own stands in ROOKERY_OUTBOUND_CA.',
  parse: ({ host, port, token }: Given) => ({
    url: collectorUrl(host, port),
    secret: checkedToken(token),
    settings: { host, port: String(Number(port)) },
  }),
  /** Shown to admins alone. */
  view: ({ secret, settings }) => ({
    host: settings['host'] ?? '',
    port: settings['port'] ?? '',
    token: secret,
  }),
  info: { field: 'siem_webhook', holds: 'one' },
})

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i

/** The collector's base address: always TLS. */
function collectorUrl(host: string, port: string): ReceiverUrl {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const isIpv6 = bare.includes(':') && URL.canParse(`https://[${bare}]`)
  if (!isIpv6 && !NAME.test(bare))
    throw invalidParameter('host', 'must be a domain name or an IP address, without scheme, port or path')
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw invalidParameter('port', 'must be a number from 1 to 65535')
  const url = `https://${isIpv6 ? `[${bare}]` : bare}:${Number(port)}`
  if (!URL.canParse(url)) throw invalidParameter('host', 'must be a domain name or an IP address')
  const { origin, hostname } = new URL(url)
  return { given: url, href: origin, parameter: 'host', host: `${hostname}:${Number(port)}` }
}

/** It goes into a header: visible ASCII alone. */
function checkedToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw invalidParameter('token', 'must be visible ASCII text without spaces')
  return token
}
