// SECURITY.md says what each bound is: its sentences, with the numbers that the sources and the options have.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OPTIONS } from '@rookery/console/config/options.ts'
import { BODY_LIMITS } from '@rookery/contract/body-limit.ts'
import { root } from './clone.mjs'
import { limitsOf } from './reference/limits.ts'

/** In braces the name of an option, of a limit or of a bound of bodies; behind a slash, the unit that the sentence counts in. */
const SENTENCES = [
  '{ROOKERY_CALLS_PER_SECOND} a second after a burst of {ROOKERY_CALLS_BURST} (',
  '{ROOKERY_FACTORY_TOKENS_PER_SECOND} a second, {ROOKERY_FACTORY_TOKENS} in all (',
  '{request_bytes_before_the_key/KiB} until the key is known; then what the operation takes: {small/KiB}, with long texts {texts/MiB}, with files {files/MiB}; as JSON {texts/MiB} (16 MiB where a text may be longer) and {request_json_values} values; {request_bodies_in_memory_bytes/MiB} for all, of which strangers have {request_bodies_without_a_key_bytes/MiB}, a key {files/MiB}, and bodies of at most 64 KiB the last {request_bodies_left_to_short_ones_bytes/MiB};',
  'slower than {request_body_bytes_per_second_for_others/KiB}/s for five seconds makes room for others, one slower than {request_body_bytes_per_second_at_least/KiB}/s leaves; who makes room for others, {request_bytes_evicted_per_second/MiB} a second, waits for the answer |',
  '{request_bytes_dropped_per_second/MiB} a second to the API, and as much to token addresses,',
  '{token_request_bytes_dropped_per_second/MiB} a second to the API, and as much to token addresses, which keep 64 KiB of each of {token_request_bodies} |',
  '{ROOKERY_CONNECTIONS_PER_SOURCE} of one address to a TCP listener of the console (',
  'in all {http_connections} to the API and to token addresses by HTTP, {tls_connections_to_the_token_server} by HTTPS, MySQL, PostgreSQL and DNS each;',
  'in all {connections_to_the_token_server} to the API and to token addresses by HTTP, {mysql_connections} by HTTPS,',
  ' and to token addresses by HTTP, {postgres_connections} by HTTPS,',
  ' and to token addresses by HTTP, {dns_connections} by HTTPS,',
  '{http_requests_waiting_per_connection} of a connection, which then ends; of one address {http_requests_waiting_per_source} for each connection that it may have, and {http_requests_pipelined_per_source} for each within ten seconds that come behind 16 others of their connection,',
  '{proxy_headers_awaited}, each for five seconds; the oldest makes room |',
  '{auth_unknown_keys_per_minute} a minute and network |',
  'after {auth_unknown_keys_per_minute} unknown keys a minute from an IPv4 address or an IPv6 /64',
  '{ROOKERY_LINK_HANDSHAKES_PER_SECOND} a second and address begin (',
  '{link_pending_per_source} of an address wait to be let in;',
  '{ROOKERY_DNS_QUERIES_PER_SECOND} a second and network (',
  '{ROOKERY_BIRD_EVENTS_PER_SECOND} a second, {ROOKERY_BIRD_INCIDENTS_PER_MINUTE} a minute (',
  '{decoy_connections_per_port} to a decoy; {ssh_key_exchanges_per_source} a second and source, {ssh_key_exchanges} a Bird |',
  '{alerts_per_minute} a minute to a receiver,',
]

const UNITS: Readonly<Record<string, number>> = { KiB: 1_024, MiB: 1_048_576 }

const numbers = new Map<string, number>([
  ...Object.entries(BODY_LIMITS),
  ...limitsOf(root).map(({ name, max }) => [name, Number(max.replaceAll(',', ''))] as const),
  ...Object.entries(OPTIONS).map(([name, option]) => [name, Number(option.default)] as const),
])

const written = (_: string, name: string, unit?: string): string => {
  const number = numbers.get(name) ?? Number.NaN
  return unit === undefined ? number.toLocaleString('en-US') : `${number / (UNITS[unit] ?? 1)} ${unit}`
}

it.each(SENTENCES)('SECURITY.md says: %s', (sentence) => {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  expect(page).toContain(sentence.replace(/\{(\w+)(?:\/(\w+))?\}/g, written))
})

it('SECURITY.md names each option that bounds what strangers, keys and Birds may do', () => {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  const bounds = Object.keys(OPTIONS).filter((name) => /PER_SECOND|PER_MINUTE|PER_SOURCE|BURST/.test(name))
  expect(bounds.length).toBeGreaterThan(6)
  expect(bounds.filter((name) => !page.includes(name))).toEqual([])
})
