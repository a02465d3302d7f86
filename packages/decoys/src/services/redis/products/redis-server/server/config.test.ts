// CONFIG SET, as redis-server 7.0.15 with Debian's redis.conf answered it.
import { expect, test } from 'vitest'
import { replay } from '../../../../../../test/replay.ts'
import { redisSession } from '../session.ts'

const bulk = (word: string): string => `$${word.length}\r\n${word}\r\n`
const command = (...words: string[]): string => `*${words.length}\r\n${words.map(bulk).join('')}`

/** The error of CONFIG SET without its beginning, or what CONFIG GET shows then. */
function set(name: string, value: string): string {
  const send = [command('CONFIG', 'SET', name, value) + command('CONFIG', 'GET', name)]
  const [reply = '', , , , , shown = ''] = replay({ name: '', send }, redisSession()).text.split('\r\n')
  return reply === '+OK'
    ? shown
    : reply.replace(/^-ERR CONFIG SET failed \(possibly related to argument '[^']*'\) - /, '! ')
}

const between = (least: string, most: string): string =>
  `! argument must be between ${least} and ${most} inclusive`
const NO_INTEGER = "! argument couldn't be parsed into an integer"
const NO_MEMORY = '! argument must be a memory value'

test.each([
  ['timeout', '5', '5'],
  ['timeout', '007', NO_INTEGER],
  ['timeout', '+5', NO_INTEGER],
  ['timeout', '-1', between('0', '2147483647')],
  ['repl-timeout', '0', between('1', '2147483647')],
  ['active-defrag-cycle-max', '200', between('1', '99')],
  ['list-max-listpack-size', '-6', '-6'],
  ['slowlog-max-len', '9223372036854775807', '9223372036854775807'],
  ['slowlog-max-len', '9223372036854775808', NO_INTEGER],
  ['lua-time-limit', '-1', between('0', '9223372036854775807')],
  ['port', '70000', between('0', '65535')],
  ['hz', '600', '500'],
  ['maxmemory', '1KB', '1024'],
  ['maxmemory', '1.5mb', NO_MEMORY],
  ['maxmemory', '18446744073709551616', '18446744073709551615'],
  ['maxmemory', '99999999999gb', '15140462030378500096'],
  ['hll-sparse-max-bytes', '9223372036854775808', between('0', '9223372036854775807')],
  ['proto-max-bulk-len', '100', between('1048576', '9223372036854775807')],
  ['repl-backlog-size', '1k', '16384'],
  ['maxmemory-clients', '101%', '! percentage argument must be less or equal to 100'],
  ['maxmemory-clients', '0%', '0'],
  ['maxclients', '0', between('1', '4294967295')],
  ['sanitize-dump-payload', 'CLIENTS', 'clients'],
  ['shutdown-on-sigint', 'save now', 'save now'],
  ['shutdown-on-sigint', 'nosave save', "! shutdown options SAVE and NOSAVE can't be used simultaneously"],
  ['loglevel', 'warn', '! argument(s) must be one of the following: debug, verbose, notice, warning'],
  ['protected-mode', 'maybe', "! argument must be 'yes' or 'no'"],
  ['tls-replication', 'YES', '! Unable to update TLS configuration. Check server logs.'],
  ['client-output-buffer-limit', 'replica 1k 1 1', 'normal 0 0 0 slave 1000 1 1 pubsub 33554432 8388608 60'],
  [
    'client-output-buffer-limit',
    'foo 1 2 3',
    '! Invalid client class specified in buffer limit configuration.',
  ],
  ['save', '60  1', '! Invalid save parameters'],
  ['notify-keyspace-events', 'KExx', 'xKE'],
  ['proc-title-template', '{title}', '! template format is invalid or contains unknown variables'],
  [
    'cluster-announce-hostname',
    'a_b',
    '! Hostnames may only contain alphanumeric characters, hyphens or dots',
  ],
  ['appendfilename', 'x', "! can't set immutable config"],
  ['dir', '/root', "! can't set protected config"],
])('%s %s: %s', (name, value, said) => {
  expect(set(name, value)).toBe(said)
})

test('INFO shows the settings that are in force', () => {
  const lines = ['CONFIG SET maxmemory 100mb hz 20 maxclients 500', 'INFO everything']
  const { text } = replay({ name: '', send: [`${lines.join('\r\n')}\r\n`] }, redisSession())
  for (const line of ['maxmemory_human:100.00M', 'hz:20', 'configured_hz:20', 'maxclients:500'])
    expect(text).toContain(`\r\n${line}\r\n`)
})
