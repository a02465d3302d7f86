// The options as data: one schema for flags, environment variables and the reference.
import { byWord } from '@rookery/kernel/by-word.ts'
import { isIP } from 'node:net'
import { readSender, readSmtpUrl } from './smtp-url.ts'
import { PROVIDER_OPTIONS } from './provider-options.ts'
import { TOKEN_OPTIONS } from './token-options.ts'
import {
  anything,
  hexDigits,
  hostPort,
  oneOf,
  option,
  proxies,
  ranges,
  timeZone,
  url,
  web,
  wholeNumber,
  withFlags,
} from './option.ts'

export const OPTIONS = withFlags({
  ROOKERY_DATA_DIR: option('./data', 'Folder of everything that must be backed up', anything('a folder')),
  ROOKERY_DATABASE_URL: option(
    '',
    'PostgreSQL instead of SQLite',
    url('a postgres:// URL', 'postgres:', 'postgresql:'),
    { secret: true },
  ),
  ROOKERY_LISTEN: option('127.0.0.1:8080', 'Address of the console', hostPort()),
  ROOKERY_TLS_LISTEN: option(
    '',
    'Address of the console by HTTPS, besides ROOKERY_LISTEN; needs ROOKERY_TLS_CERT',
    hostPort('0.0.0.0:8443'),
  ),
  ROOKERY_TLS_CERT: option(
    '',
    'Certificates of the console; needs ROOKERY_TLS_KEY',
    anything('PEM files, separated by commas'),
  ),
  ROOKERY_TLS_KEY: option(
    '',
    'Private keys of these certificates, in the same order',
    anything('PEM files without a passphrase, separated by commas'),
  ),
  ROOKERY_PUBLIC_URL: option('', 'Address of the console as people reach it', web),
  ROOKERY_BOOTSTRAP_KEY: option('', 'First admin API key of an empty database', hexDigits(32), {
    secret: true,
  }),
  ROOKERY_BOOTSTRAP_EMAIL: option('', 'First user of an empty database', {
    wants: 'an e-mail address',
    accepts: (v) => /^[^@\s]+@[^@\s]+$/.test(v),
  }),
  ROOKERY_BOOTSTRAP_PASSWORD: option(
    '',
    'Password of the first user',
    { wants: 'at least 12 characters, not easy to guess', accepts: (v) => v.length >= 12 },
    { secret: true },
  ),
  ROOKERY_MASTER_KEY: option('', 'Key over all secrets, instead of <data>/master.key', hexDigits(64), {
    secret: true,
  }),
  ROOKERY_KEYS: option(
    'recoverable',
    'Whether API keys can be read again',
    oneOf('recoverable', 'show-once'),
  ),
  ROOKERY_TRUSTED_PROXIES: option('', 'Proxies whose forwarded addresses are believed', proxies),
  ROOKERY_CONNECTIONS_PER_SOURCE: option(
    '64',
    'Connections that one IPv4 address or IPv6 /64 may have to each TCP listener; trusted proxies may have more',
    wholeNumber(100_000),
  ),
  ROOKERY_CALLS_PER_SECOND: option(
    '100',
    'Calls a second that a key may make for long',
    wholeNumber(1_000_000),
  ),
  ROOKERY_CALLS_BURST: option(
    '500',
    'Calls that a key may make at once after a pause',
    wholeNumber(1_000_000),
  ),
  ROOKERY_FACTORY_TOKENS_PER_SECOND: option(
    '20',
    'Tokens that a token factory may create a second',
    wholeNumber(1_000_000),
  ),
  ROOKERY_FACTORY_TOKENS: option('10000', 'Tokens that a token factory may have', wholeNumber(100_000_000)),
  ...TOKEN_OPTIONS,
  ...PROVIDER_OPTIONS,
  ROOKERY_LOCAL_BIRD: option('on', 'Whether `up` runs a Bird of its own', oneOf('on', 'off')),
  ROOKERY_BIRD_BIND: option(
    '',
    'Address that decoys listen on; without it 127.0.0.1 for the local Bird, 0.0.0.0 for others',
    { wants: 'an IP address', accepts: (v) => isIP(v) !== 0 },
    { flag: '--bind' },
  ),
  ROOKERY_BIRD_PORT_OFFSET: option(
    '',
    'Added to every decoy port; without it 20000 for the local Bird, 0 for others',
    { wants: 'a whole number from 0 to 60000', accepts: (v) => /^\d{1,5}$/.test(v) && Number(v) <= 60_000 },
    { flag: '--port-offset' },
  ),
  ROOKERY_BIRD_IP_STACK: option(
    'machine',
    'Whether the IP stack answers as the system that the decoys claim; `claimed` changes the network namespace that the Bird runs in, so it must be its own',
    oneOf('machine', 'claimed'),
    { flag: '--ip-stack' },
  ),
  ROOKERY_BIRD_EVENTS_PER_SECOND: option(
    '2000',
    'Events a second that are taken of one Bird; the rest waits with the Bird',
    wholeNumber(1_000_000),
  ),
  ROOKERY_BIRD_INCIDENTS_PER_MINUTE: option(
    '200',
    'New incidents a minute of one Bird; the rest goes into incidents of many sources',
    wholeNumber(1_000_000),
  ),
  ROOKERY_FILES_BYTES: option(
    '536870912',
    'Bytes of all files together that are on their way to Birds',
    wholeNumber(999_999_999),
  ),
  ROOKERY_BIRD_HELLOS: option('3', 'How often one Bird may connect in 15 seconds', wholeNumber(1_000_000)),
  ROOKERY_LINK_HANDSHAKES_PER_SECOND: option(
    '10',
    'Links a second that one address may begin, besides those of the registered Birds that it had',
    wholeNumber(1_000_000),
  ),
  ROOKERY_OUTBOUND_ALLOW: option('', 'Private addresses that webhooks, mail and SMS may reach', ranges),
  ROOKERY_OUTBOUND_CA: option(
    '',
    'Certificate authorities of your own, for webhooks, event collectors and mail',
    anything('a file of certificates in PEM'),
  ),
  ROOKERY_CHATOPS_URL: option(
    'https://slack.com',
    'Base address of the chat service that channels are authorised at',
    web,
  ),
  ROOKERY_CHATOPS_CLIENT_ID: option(
    '',
    'Client id of your app at the chat service',
    anything('the id that the chat service gave'),
  ),
  ROOKERY_CHATOPS_CLIENT_SECRET: option(
    '',
    'Client secret of your app at the chat service',
    anything('the secret that the chat service gave'),
    { secret: true },
  ),
  ROOKERY_SMTP_URL: option(
    '',
    'Mail server for alerts and summaries; needs ROOKERY_SMTP_FROM',
    {
      wants: 'smtp:// or smtps://, with user:password@ and ?starttls=required|offered|never where wished',
      accepts: (v) => readSmtpUrl(v) !== undefined,
    },
    { secret: true },
  ),
  ROOKERY_SMTP_FROM: option('', 'Whom mails come from', {
    wants: 'an e-mail address, with a name before it where wished: Rookery <rookery@example.com>',
    accepts: (v) => readSender(v) !== undefined,
  }),
  ROOKERY_SMS_URL: option(
    '',
    'Gateway that SMS are posted to, as JSON; user:password@ becomes basic authentication',
    web,
    { secret: true },
  ),
  ROOKERY_TIMEZONE: option('UTC', 'Time zone of the console: when the weekly summary goes out', timeZone),
  ROOKERY_ASSETINV_URL: option(
    '',
    'Export of an asset inventory: a JSON array of addresses, names, hw, os',
    web,
    { secret: true },
  ),
  ROOKERY_ASSETINV_TOKEN: option(
    '',
    'Bearer token for the export of the asset inventory',
    { wants: 'text without blanks', accepts: (v) => /^[\x21-\x7e]+$/.test(v) },
    { secret: true },
  ),
  ROOKERY_GEO_DB: option(
    '',
    'Where addresses are and whose network they are in: databases of cities and of autonomous systems',
    anything('files in the format MaxMind DB (.mmdb), separated by commas'),
  ),
  ROOKERY_TOR_EXITS: option(
    '',
    'Exits of the Tor network',
    anything('a file with an IP address on each line'),
  ),
  ROOKERY_METRICS_TOKEN: option(
    '',
    'Bearer token for /metrics from elsewhere',
    { wants: 'at least 16 characters', accepts: (v) => v.length >= 16 },
    { secret: true },
  ),
  ROOKERY_LOG: option('info', 'Least level that is logged', oneOf('debug', 'info', 'warn', 'error')),
})

/** What programs that call a console read from the environment: no option of the console, and never a flag. */
export const CLIENT_VARIABLES = byWord<string>({
  ROOKERY_API_KEY: 'API key that `rookery api` calls with',
  ROOKERY_CONSOLE: 'Address of the console that `rookery bird` joins; its flag `--console` wins',
  ROOKERY_ENROL: 'Enrolment code of `rookery bird`; its flag `--enrol` wins',
})

export type OptionName = keyof typeof OPTIONS

/** The variable that names the file of a secret option. */
export const fileVariable = (name: OptionName): string => `${name}_FILE`
