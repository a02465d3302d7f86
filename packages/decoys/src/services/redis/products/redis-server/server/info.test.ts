// What INFO counts, and what the judge of fresh probes leaves of it.
import { expect, test } from 'vitest'
import { replay } from '../../../../../../test/replay.ts'
import { maskFigures, sortCommands } from '../../../../../../lab/redis/redis-server/mask.ts'
import { redisSession } from '../session.ts'

/** The reply to the last of these commands. */
const after = (...commands: string[]): string =>
  replay({ name: '', send: [`${commands.join('\r\n')}\r\n`] }, redisSession())
    .text.split(/(?=\$\d+\r\n#)/)
    .at(-1)!

test('INFO says how often each command ran, was refused before, and failed', () => {
  const said = after('SET a 1', 'GET a', 'LPUSH a 1', 'GET', 'SUBSCRIBE', 'FOO', 'INFO commandstats')
  expect(said).toMatch(
    /^cmdstat_set:calls=1,usec=\d+,usec_per_call=\d\.00,rejected_calls=0,failed_calls=0\r$/m,
  )
  expect(said).toMatch(/^cmdstat_get:calls=1,.*,rejected_calls=1,failed_calls=0\r$/m)
  expect(said).toMatch(/^cmdstat_lpush:calls=1,.*,rejected_calls=0,failed_calls=1\r$/m)
  expect(said).toMatch(
    /^cmdstat_subscribe:calls=0,usec=0,usec_per_call=0\.00,rejected_calls=1,failed_calls=0\r$/m,
  )
  expect(said).not.toContain('cmdstat_info')
})

test('a command’s time falls into a bucket of the histogram, as LATENCY shows it', () => {
  expect(after('PING', 'INFO latencystats')).toMatch(
    /^latency_percentiles_usec_ping:p50=(1\.003|2\.007|3\.007|4\.015|5\.023|6\.015|7\.007),p99=/m,
  )
})

test('INFO counts what was found, what was not, the replies that were errors, and what is not saved yet', () => {
  const said = after('SET a 1', 'GET a', 'GET b', 'LPUSH a 1', 'HGET a b', 'FOO', 'INFO everything')
  expect(said).toMatch(/^keyspace_hits:2\r$/m)
  expect(said).toMatch(/^keyspace_misses:1\r$/m)
  expect(said).toMatch(/^total_error_replies:3\r$/m)
  expect(said).toMatch(/^total_commands_processed:5\r$/m)
  expect(said).toMatch(/^rdb_changes_since_last_save:1\r$/m)
})

test('INFO counts the scripts that are kept, and their memory, until SCRIPT FLUSH', () => {
  const info = 'INFO memory'
  expect(after(info)).toMatch(/^used_memory_scripts_eval:0\r\nnumber_of_cached_scripts:0\r$/m)
  // As redis-server 7.0.15 said it after each of these.
  expect(after('EVAL "return 1" 0', info)).toMatch(
    /^used_memory_scripts_eval:136\r\nnumber_of_cached_scripts:1\r$/m,
  )
  const long = `EVAL "return '${'a'.repeat(51)}'" 0`
  expect(after('EVAL "return 1" 0', long, info)).toMatch(/^used_memory_scripts_eval:288\r$/m)
  expect(after('EVAL "return 1" 0', 'SCRIPT FLUSH', info)).toMatch(/^number_of_cached_scripts:0\r$/m)
})

test('INFO counts an error that says always the same', () => {
  expect(after('CLUSTER INFO', 'INFO stats')).toMatch(/^total_error_replies:1\r$/m)
})

test('CONFIG RESETSTAT and FLUSHALL begin anew, each with its own', () => {
  const said = after('SET a 1', 'GET a', 'FOO', 'FLUSHALL', 'CONFIG RESETSTAT', 'INFO everything')
  expect(said).toMatch(/^keyspace_hits:0\r$/m)
  expect(said).toMatch(/^total_error_replies:0\r$/m)
  expect(said).toMatch(/^total_commands_processed:1\r$/m)
  expect(said).toMatch(/^rdb_changes_since_last_save:0\r$/m)
  expect(said).not.toContain('cmdstat_set')
})

test('the judge leaves the counts of INFO, and hides what is the process’s', () => {
  const info =
    '# Stats\r\nkeyspace_hits:3\r\nused_memory:99\r\ncmdstat_get:calls=3,usec=9,usec_per_call=3.00\r\n'
  expect(maskFigures(info)).toBe(
    '# Stats\r\nkeyspace_hits:3\r\nused_memory:N\r\ncmdstat_get:calls=3,usec=N,usec_per_call=N\r\n',
  )
})

test('the judge sorts the list of all commands, and nothing before or behind it', () => {
  const names = Array.from({ length: 240 }, (_, at) => `$3\r\n${String(999 - at)}\r\n`)
  const behind = '*2\r\n$1\r\nb\r\n$1\r\na\r\n'
  const text = (list: string[]): string => `+OK\r\n*240\r\n${list.join('')}${behind}`
  expect(sortCommands(text(names))).toBe(text([...names].reverse()))
})

test('each element, field and key that a command wrote is a change', () => {
  const written = [
    'RPUSH l a b c',
    'SADD s a a b',
    'GEOADD g 13 38 a 15 37 b',
    'MSET a 1 b 2',
    'HSET h a 1 b 2',
  ]
  const removed = ['SREM s a b', 'DEL a b', 'HDEL h a x']
  expect(after(...written, 'ZADD g 1 a', 'SET c 1', ...removed, 'INFO persistence')).toMatch(
    /^rdb_changes_since_last_save:18\r$/m,
  )
})

test('a key that is asked for and is not there is a miss, also where the rest of the command is wrong', () => {
  const misses = (command: string) =>
    /^keyspace_misses:(\d+)\r$/m.exec(after(command, 'INFO everything'))?.[1]
  expect(misses('EXISTS a b')).toBe('2')
  expect(misses('XAUTOCLAIM a g c 0 0')).toBe('1')
  expect(misses('DEL a')).toBe('0')
})
