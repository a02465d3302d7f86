// What the options say of the hosts under which this console is reached.
import type { Config } from '../config/config.ts'
import { hostPort } from '../addresses/host-port.ts'
import { ownHosts, type OwnHosts } from '../addresses/own-hosts.ts'

/** `tokensUrl` is the base address of token URLs. */
export function hostsOf(config: Config, tokensUrl: string): OwnHosts {
  const urls = [
    tokensUrl,
    config.ROOKERY_TOKENS_URL,
    config.ROOKERY_TOKENS_TLS_URL,
    config.ROOKERY_PUBLIC_URL,
  ]
  const named = [
    config.ROOKERY_TOKENS_WIREGUARD_AT,
    config.ROOKERY_TOKENS_MYSQL_AT,
    config.ROOKERY_TOKENS_POSTGRES_AT,
  ]
  const listening = [
    config.ROOKERY_LISTEN,
    config.ROOKERY_TLS_LISTEN,
    config.ROOKERY_TOKENS_LISTEN,
    config.ROOKERY_TOKENS_TLS_LISTEN,
    config.ROOKERY_DNS_LISTEN,
    config.ROOKERY_TOKENS_WIREGUARD_LISTEN,
    config.ROOKERY_TOKENS_MYSQL_LISTEN,
    config.ROOKERY_TOKENS_POSTGRES_LISTEN,
  ]
  return ownHosts({
    hosts: [
      ...urls.filter(Boolean).map((url) => new URL(url).hostname),
      ...config.ROOKERY_DNS_ADDRESSES.split(',').map((address) => address.trim()),
      ...hostsIn(named),
    ].filter(Boolean),
    zone: config.ROOKERY_TOKENS_DOMAIN,
    listening: hostsIn(listening),
  })
}

/** Of `host:port` texts; `off` has none. */
const hostsIn = (texts: readonly string[]): string[] =>
  texts
    .filter((text) => text.includes(':'))
    .map((text) => hostPort(text).host)
    .filter(Boolean)
