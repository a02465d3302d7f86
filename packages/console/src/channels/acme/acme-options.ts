// What the options say of certificates by ACME, and what of it does not go together.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Config } from '../../config/config.ts'
import { hostOf } from '../http/tls/certificate-source.ts'

export interface AcmeOptions {
  /** A mail address. */
  readonly contact: string
  readonly directoryUrl: string
  /** The zone of token host names, in lower case. */
  readonly domain: string
  /** What the certificate is for: the zone itself, and each name below it. */
  readonly names: readonly [string, string]
}

/** Undefined where no certificate is ordered. A `bad-input` for options that contradict each other. */
export function acmeOptions(config: Config): AcmeOptions | undefined {
  const { ROOKERY_TOKENS_ACME: contact, ROOKERY_TOKENS_ACME_URL: directoryUrl } = config
  if (contact === '') return undefined
  if (config.ROOKERY_TOKENS_TLS_CERT !== '')
    throw wrong('and ROOKERY_TOKENS_TLS_CERT are both set; set one of them')
  const domain = config.ROOKERY_TOKENS_DOMAIN.toLowerCase()
  if (!domain.includes('.') || /(^|\.)localhost$/.test(domain))
    throw wrong(`needs the zone that is delegated to this console: ROOKERY_TOKENS_DOMAIN is "${domain}"`)
  const { ROOKERY_TOKENS_TLS_URL: url } = config
  if (url !== '' && !isCovered(hostOf(url), domain))
    throw wrong(
      `gets a certificate for ${domain} and *.${domain}, and ROOKERY_TOKENS_TLS_URL names ${hostOf(url)}: name one of them, or give a certificate in ROOKERY_TOKENS_TLS_CERT`,
    )
  return { contact, directoryUrl, domain, names: [domain, `*.${domain}`] }
}

const wrong = (what: string): Fault => new Fault('bad-input', `ROOKERY_TOKENS_ACME ${what}.`)

/** A wildcard stands for one label (RFC 6125, 6.4.3). */
const isCovered = (host: string, domain: string): boolean =>
  host === domain || host.slice(host.indexOf('.') + 1) === domain
