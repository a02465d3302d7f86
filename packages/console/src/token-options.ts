// The options of the listeners where tokens are met, and of what artefacts name.
import { isIP } from 'node:net'
import { address, listen, listenOrOff, named, option, type Option, web, wholeNumber } from './option.ts'

export const TOKEN_OPTIONS = {
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
  ROOKERY_TOKENS_MYSQL_LISTEN: option(
    '--tokens-mysql-listen',
    '127.0.0.1:8306',
    'Address where tokens log in by MySQL',
    'host:port, such as 0.0.0.0:3306, or off',
    listenOrOff,
  ),
  ROOKERY_TOKENS_MYSQL_AT: option(
    '--tokens-mysql-at',
    '',
    'What artefacts name for MySQL (the host name of each token, and the listening port)',
    'host:port, or :port at the host name of each token',
    named,
  ),
  ROOKERY_TOKENS_POSTGRES_LISTEN: option(
    '--tokens-postgres-listen',
    '127.0.0.1:8432',
    'Address where tokens log in by PostgreSQL',
    'host:port, such as 0.0.0.0:5432, or off',
    listenOrOff,
  ),
  ROOKERY_TOKENS_POSTGRES_AT: option(
    '--tokens-postgres-at',
    '',
    'What artefacts name for PostgreSQL (the host name of each token, and the listening port)',
    'host:port, or :port at the host name of each token',
    named,
  ),
} as const satisfies Record<`ROOKERY_${string}`, Option>
