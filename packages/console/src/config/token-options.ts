// The options of the listeners where tokens are met, and of what artefacts name.
import { isIP } from 'node:net'
import { FORWARDED_HEADERS } from '../addresses/client-address.ts'
import {
  anything,
  hostPort,
  hostPortOrOff,
  https,
  namedAt,
  oneOf,
  option,
  proxies,
  web,
  wholeNumber,
  type NamedOption,
} from './option.ts'

export const TOKEN_OPTIONS = {
  ROOKERY_TOKENS_LISTEN: option('127.0.0.1:8081', 'Address where token URLs are opened', hostPort()),
  ROOKERY_TOKENS_URL: option('', 'Public base address of token URLs', web),
  ROOKERY_TOKENS_FORWARDED_HEADER: option(
    'x-forwarded-for',
    'Header in which trusted proxies name the client of a token URL; the other one is never read',
    oneOf(...FORWARDED_HEADERS),
  ),
  ROOKERY_TOKENS_PROXY_PROTOCOL: option(
    '',
    'Load balancers that begin each connection to tokens by HTTP, HTTPS, MySQL and PostgreSQL with a PROXY header; one without it is closed',
    proxies,
  ),
  ROOKERY_TOKENS_TLS_LISTEN: option(
    '127.0.0.1:8444',
    'Address where token URLs are opened by HTTPS',
    hostPort(),
  ),
  ROOKERY_TOKENS_TLS_URL: option(
    '',
    'Public base address of token URLs by HTTPS, for the kinds that need it; without it ROOKERY_TOKENS_URL',
    https,
  ),
  ROOKERY_TOKENS_TLS_CERT: option(
    '',
    'Certificates of the token host; without them one of an authority of its own, <data>/tokens-ca.pem; needs ROOKERY_TOKENS_TLS_KEY',
    anything('PEM files, separated by commas'),
  ),
  ROOKERY_TOKENS_TLS_KEY: option(
    '',
    'Private keys of these certificates, in the same order',
    anything('PEM files without a passphrase, separated by commas'),
  ),
  ROOKERY_TOKENS_ACME: option(
    '',
    'Contact at the authority that certifies ROOKERY_TOKENS_DOMAIN and the names below it, by ACME',
    { wants: 'an e-mail address', accepts: (v) => /^[^@\s,?]+@[^@\s,?]+$/.test(v) },
  ),
  ROOKERY_TOKENS_ACME_URL: option(
    'https://acme-v02.api.letsencrypt.org/directory',
    'Directory of the ACME server',
    https,
  ),
  ROOKERY_TOKENS_DOMAIN: option('tokens.localhost', 'Zone of token host names', {
    wants: 'a domain name',
    accepts: (v) => /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(v),
  }),
  ROOKERY_DNS_LISTEN: option('127.0.0.1:8053', 'Address of the token DNS server, UDP and TCP', hostPort()),
  ROOKERY_DNS_ADDRESSES: option(
    '',
    'What token host names resolve to; without it the address in ROOKERY_TOKENS_URL, else 127.0.0.1',
    {
      wants: 'up to 8 IP addresses, separated by commas',
      accepts: (value) =>
        value.split(',').length <= 8 && value.split(',').every((address) => isIP(address.trim()) !== 0),
    },
  ),
  ROOKERY_DNS_QUERIES_PER_SECOND: option(
    '1000',
    'DNS queries that one IPv4 /24 or IPv6 /56 may make a second, by UDP and by TCP each; beyond them it is sent to TCP, and waits there',
    wholeNumber(100_000_000),
  ),
  ROOKERY_TOKENS_WIREGUARD_LISTEN: option(
    '127.0.0.1:8820',
    'Address of the token WireGuard server, UDP',
    hostPortOrOff('127.0.0.1:8820'),
  ),
  ROOKERY_TOKENS_WIREGUARD_AT: option(
    '',
    'What VPN configurations name as their server; without it ROOKERY_TOKENS_WIREGUARD_LISTEN',
    hostPort('vpn.example.com:51820'),
  ),
  ROOKERY_TOKENS_MYSQL_LISTEN: option(
    '127.0.0.1:8306',
    'Address where tokens log in by MySQL',
    hostPortOrOff('0.0.0.0:3306'),
  ),
  ROOKERY_TOKENS_MYSQL_AT: option(
    '',
    'What artefacts name for MySQL; without it the host name of each token, and the listening port',
    namedAt,
  ),
  ROOKERY_TOKENS_POSTGRES_LISTEN: option(
    '127.0.0.1:8432',
    'Address where tokens log in by PostgreSQL',
    hostPortOrOff('0.0.0.0:5432'),
  ),
  ROOKERY_TOKENS_POSTGRES_AT: option(
    '',
    'What artefacts name for PostgreSQL; without it the host name of each token, and the listening port',
    namedAt,
  ),
} as const satisfies Record<`ROOKERY_${string}`, NamedOption>
