import { expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { hostsOf } from './configured-hosts.ts'

it('the console is reached by each host of its options, and by no other', () => {
  const config = readConfig({
    ROOKERY_PUBLIC_URL: 'https://console.example.net',
    ROOKERY_LISTEN: '192.0.2.1:8080',
    ROOKERY_TOKENS_LISTEN: '192.0.2.2:80',
    ROOKERY_TOKENS_TLS_LISTEN: '[2001:db8::3]:443',
    ROOKERY_TOKENS_TLS_URL: 'https://secure.example.net',
    ROOKERY_TOKENS_DOMAIN: 't.example.net',
    ROOKERY_DNS_LISTEN: '192.0.2.4:53',
    ROOKERY_DNS_ADDRESSES: '192.0.2.5, 192.0.2.6',
    ROOKERY_TOKENS_WIREGUARD_LISTEN: 'off',
    ROOKERY_TOKENS_WIREGUARD_AT: 'vpn.example.net:51820',
    ROOKERY_TOKENS_MYSQL_LISTEN: 'off',
    ROOKERY_TOKENS_MYSQL_AT: ':3306',
    ROOKERY_TOKENS_POSTGRES_LISTEN: '192.0.2.7:5432',
  })
  const own = hostsOf(config, 'http://files.example.net:8081')
  const named = ['console', 'files', 'secure', 't', 'a.t', 'vpn'].map((name) => `${name}.example.net`)
  const addresses = [1, 2, 4, 5, 6, 7].map((n) => `192.0.2.${n}`)
  for (const host of [...named, ...addresses, '2001:db8::3']) expect(own.has(host), host).toBe(true)
  for (const host of ['', 'off', 'example.net', '192.0.2.3', '127.0.0.1', 'localhost'])
    expect(own.has(host), host).toBe(false)
})
