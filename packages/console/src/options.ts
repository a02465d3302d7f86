// The options as data (architecture 5): one schema for flags, environment variables and the reference.
import { isIP } from 'node:net'
import { checkTimeZone } from '@rookery/kernel/time.ts'
import { readRange } from './net/address-set.ts'
import { readSender, readSmtpUrl } from './net/smtp-url.ts'

export interface Option {
  readonly flag: string
  readonly default: string
  /** What it is for, in one line. */
  readonly title: string
  readonly wants: string
  readonly accepts: (value: string) => boolean
  /** Its value is never shown, and its flag names a file: arguments are shown to every user of the machine. */
  readonly secret?: boolean
}

const listen = (value: string): boolean => {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(value)
  return match !== null && Number(match[3]) <= 65_535
}
const listenOrOff = (value: string): boolean => value === 'off' || listen(value)
const url =
  (...schemes: string[]) =>
  (value: string): boolean =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol)
const oneOf =
  (...choices: string[]) =>
  (value: string): boolean =>
    choices.includes(value)
const ranges = (value: string): boolean =>
  value.split(',').every((entry) => readRange(entry.trim()) !== undefined)
const hexDigits =
  (digits: number) =>
  (value: string): boolean =>
    new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(value)
const wholeNumber =
  (least: number, most: number) =>
  (value: string): boolean =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most
const isTimeZone = (value: string): boolean => {
  try {
    checkTimeZone(value)
    return true
  } catch {
    return false
  }
}
const anything = (): boolean => true

const address = 'host:port, such as 127.0.0.1:8080'
const web = url('http:', 'https:')

const option = (
  flag: string,
  fallback: string,
  title: string,
  wants: string,
  accepts: Option['accepts'],
  secret = false,
): Option => ({
  flag,
  default: fallback,
  title,
  wants,
  accepts,
  secret,
})

export const OPTIONS = {
  ROOKERY_DATA_DIR: option(
    '--data-dir',
    './data',
    'Folder of everything that must be backed up',
    'a folder',
    anything,
  ),
  ROOKERY_DATABASE_URL: option(
    '--database-url-file',
    '',
    'PostgreSQL instead of SQLite',
    'a postgres:// URL',
    url('postgres:', 'postgresql:'),
    true,
  ),
  ROOKERY_LISTEN: option('--listen', '127.0.0.1:8080', 'Address of the console', address, listen),
  ROOKERY_PUBLIC_URL: option(
    '--public-url',
    '',
    'Address of the console as people reach it',
    'an http(s) URL',
    web,
  ),
  ROOKERY_BOOTSTRAP_KEY: option(
    '--bootstrap-key-file',
    '',
    'First admin API key of an empty database',
    '32 hex digits',
    hexDigits(32),
    true,
  ),
  ROOKERY_BOOTSTRAP_EMAIL: option(
    '--bootstrap-email',
    '',
    'First user of an empty database',
    'an e-mail address',
    (v) => /^[^@\s]+@[^@\s]+$/.test(v),
  ),
  ROOKERY_BOOTSTRAP_PASSWORD: option(
    '--bootstrap-password-file',
    '',
    'Password of the first user',
    'at least 12 characters, not easy to guess',
    (v) => v.length >= 12,
    true,
  ),
  ROOKERY_MASTER_KEY: option(
    '--master-key-file',
    '',
    'Key over all secrets, instead of <data>/master.key',
    '64 hex digits',
    hexDigits(64),
    true,
  ),
  ROOKERY_KEYS: option(
    '--keys',
    'recoverable',
    'Whether API keys can be read again',
    'recoverable or show-once',
    oneOf('recoverable', 'show-once'),
  ),
  ROOKERY_TRUSTED_PROXIES: option(
    '--trusted-proxies',
    '',
    'Proxies whose forwarded addresses are believed',
    'CIDR ranges, separated by commas',
    ranges,
  ),
  ROOKERY_CONNECTIONS_PER_SOURCE: option(
    '--connections-per-source',
    '64',
    'Connections that one IPv4 address or IPv6 /64 may have to each HTTP listener; trusted proxies may have more',
    'a whole number from 1 to 100000',
    wholeNumber(1, 100_000),
  ),
  ROOKERY_CALLS_PER_SECOND: option(
    '--calls-per-second',
    '100',
    'Calls a second that a key may make for long',
    'a whole number from 1 to 1000000',
    wholeNumber(1, 1_000_000),
  ),
  ROOKERY_CALLS_BURST: option(
    '--calls-burst',
    '500',
    'Calls that a key may make at once after a pause',
    'a whole number from 1 to 1000000',
    wholeNumber(1, 1_000_000),
  ),
  ROOKERY_FACTORY_TOKENS_PER_SECOND: option(
    '--factory-tokens-per-second',
    '20',
    'Tokens that a token factory may create a second',
    'a whole number from 1 to 1000000',
    wholeNumber(1, 1_000_000),
  ),
  ROOKERY_FACTORY_TOKENS: option(
    '--factory-tokens',
    '10000',
    'Tokens that a token factory may have',
    'a whole number from 1 to 100000000',
    wholeNumber(1, 100_000_000),
  ),
  ROOKERY_TOKENS_LISTEN: option(
    '--tokens-listen',
    '127.0.0.1:8081',
    'Address where token URLs are opened',
    address,
    listen,
  ),
  ROOKERY_TOKENS_URL: option('--tokens-url', '', 'Public base address of token URLs', 'an http(s) URL', web),
  ROOKERY_TOKENS_DOMAIN: option(
    '--tokens-domain',
    'tokens.localhost',
    'Zone of token host names',
    'a domain name',
    (v) => /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(v),
  ),
  ROOKERY_DNS_LISTEN: option(
    '--dns-listen',
    '127.0.0.1:8053',
    'Address of the token DNS server, UDP and TCP',
    address,
    listen,
  ),
  ROOKERY_DNS_ADDRESSES: option(
    '--dns-addresses',
    '',
    'What token host names resolve to (the address in ROOKERY_TOKENS_URL, else 127.0.0.1)',
    'up to 8 IP addresses, separated by commas',
    (value) =>
      value.split(',').length <= 8 && value.split(',').every((address) => isIP(address.trim()) !== 0),
  ),
  ROOKERY_DNS_QUERIES_PER_SECOND: option(
    '--dns-queries-per-second',
    '1000',
    'DNS queries by UDP that one IPv4 /24 or IPv6 /56 may make a second; beyond them it is sent to TCP',
    'a whole number from 1 to 100000000',
    wholeNumber(1, 100_000_000),
  ),
  ROOKERY_TOKENS_WIREGUARD_LISTEN: option(
    '--tokens-wireguard-listen',
    '127.0.0.1:8820',
    'Address of the token WireGuard server, UDP',
    'host:port, such as 127.0.0.1:8820, or off',
    listenOrOff,
  ),
  ROOKERY_TOKENS_WIREGUARD_AT: option(
    '--tokens-wireguard-at',
    '',
    'What VPN configurations name as their server (ROOKERY_TOKENS_WIREGUARD_LISTEN)',
    'host:port, such as vpn.example.com:51820',
    listen,
  ),
  ROOKERY_LOCAL_BIRD: option(
    '--local-bird',
    'on',
    'Whether `up` runs a Bird of its own',
    'on or off',
    oneOf('on', 'off'),
  ),
  ROOKERY_BIRD_BIND: option(
    '--bind',
    '127.0.0.1',
    'Address that decoys listen on',
    'an IP address',
    (v) => isIP(v) !== 0,
  ),
  ROOKERY_BIRD_PORT_OFFSET: option(
    '--port-offset',
    '',
    'Added to every decoy port (20000 for the local Bird, else 0)',
    'a whole number from 0 to 60000',
    (v) => /^\d{1,5}$/.test(v) && Number(v) <= 60_000,
  ),
  ROOKERY_BIRD_EVENTS_PER_SECOND: option(
    '--bird-events-per-second',
    '2000',
    'Events a second that are taken of one Bird; the rest waits with the Bird',
    'a whole number from 1 to 1000000',
    wholeNumber(1, 1_000_000),
  ),
  ROOKERY_BIRD_INCIDENTS_PER_MINUTE: option(
    '--bird-incidents-per-minute',
    '200',
    'New incidents a minute of one Bird; the rest goes into incidents of many sources',
    'a whole number from 1 to 1000000',
    wholeNumber(1, 1_000_000),
  ),
  ROOKERY_BIRD_HELLOS: option(
    '--bird-hellos',
    '3',
    'How often one Bird may connect in 15 seconds',
    'a whole number from 1 to 1000000',
    wholeNumber(1, 1_000_000),
  ),
  ROOKERY_LINK_HANDSHAKES_PER_SECOND: option(
    '--link-handshakes-per-second',
    '10',
    'Links a second that one address may begin, besides those of the registered Birds that it had',
    'a whole number from 1 to 1000000',
    wholeNumber(1, 1_000_000),
  ),
  ROOKERY_OUTBOUND_ALLOW: option(
    '--outbound-allow',
    '',
    'Private addresses that webhooks, mail and SMS may reach',
    'CIDR ranges, separated by commas',
    ranges,
  ),
  ROOKERY_OUTBOUND_CA: option(
    '--outbound-ca',
    '',
    'Certificate authorities of your own, for webhooks, event collectors and mail',
    'a file of certificates in PEM',
    anything,
  ),
  ROOKERY_CHATOPS_URL: option(
    '--chatops-url',
    'https://slack.com',
    'Base address of the chat service that channels are authorised at',
    'an http(s) URL',
    web,
  ),
  ROOKERY_CHATOPS_CLIENT_ID: option(
    '--chatops-client-id',
    '',
    'Client id of your app at the chat service',
    'the id that the chat service gave',
    anything,
  ),
  ROOKERY_CHATOPS_CLIENT_SECRET: option(
    '--chatops-client-secret-file',
    '',
    'Client secret of your app at the chat service',
    'the secret that the chat service gave',
    anything,
    true,
  ),
  ROOKERY_SMTP_URL: option(
    '--smtp-url-file',
    '',
    'Mail server for alerts and summaries; needs ROOKERY_SMTP_FROM',
    'smtp:// or smtps://, with user:password@ and ?starttls=required|offered|never where wished',
    (v) => readSmtpUrl(v) !== undefined,
    true,
  ),
  ROOKERY_SMTP_FROM: option(
    '--smtp-from',
    '',
    'Whom mails come from',
    'an e-mail address, with a name before it where wished: Rookery <rookery@example.com>',
    (v) => readSender(v) !== undefined,
  ),
  ROOKERY_SMS_URL: option(
    '--sms-url-file',
    '',
    'Gateway that SMS are posted to, as JSON; user:password@ becomes basic authentication',
    'an http(s) URL',
    web,
    true,
  ),
  ROOKERY_TIMEZONE: option(
    '--timezone',
    'UTC',
    'Time zone of the console: when the weekly summary goes out',
    'a name of the IANA tz database, such as Europe/Berlin',
    isTimeZone,
  ),
  ROOKERY_ASSETINV_URL: option(
    '--assetinv-url',
    '',
    'Export of an asset inventory: a JSON array of addresses, names, hw, os',
    'an http(s) URL',
    web,
  ),
  ROOKERY_ASSETINV_TOKEN: option(
    '--assetinv-token-file',
    '',
    'Bearer token for the export of the asset inventory',
    'text without blanks',
    (v) => /^[\x21-\x7e]+$/.test(v),
    true,
  ),
  ROOKERY_METRICS_TOKEN: option(
    '--metrics-token-file',
    '',
    'Bearer token for /metrics from elsewhere',
    'at least 16 characters',
    (v) => v.length >= 16,
    true,
  ),
  ROOKERY_LOG: option(
    '--log',
    'info',
    'Least level that is logged',
    'one of debug, info, warn, error',
    oneOf('debug', 'info', 'warn', 'error'),
  ),
} as const satisfies Record<`ROOKERY_${string}`, Option>

/** What programs that call a console read from the environment: no option of the console, and never a flag. */
export const CLIENT_VARIABLES: Readonly<Record<string, string>> = {
  ROOKERY_API_KEY: 'API key that `rookery api` calls with',
}

export type OptionName = keyof typeof OPTIONS

/** The variable that names the file of a secret option. */
export const fileVariable = (name: OptionName): string => `${name}_FILE`
