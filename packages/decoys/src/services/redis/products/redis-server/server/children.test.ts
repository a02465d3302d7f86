// One child process writes the data set at a time; the replies are those of Debian's Redis 7.0.15.
import { expect, test } from 'vitest'
import { replay } from '../../../../../../test/replay.ts'
import { testContext } from '../../../../../../test/session-context.ts'
import { dumpFooter } from '../rdb/payload.ts'
import { redisSession } from '../session.ts'

const replies = (...commands: string[]): string[] =>
  replay({ name: '', send: [`${commands.join('\r\n')}\r\n`] }, redisSession())
    .text.trimEnd()
    .split('\r\n')

const SAVES = '+Background saving started'
const REWRITES = '+Background append only file rewriting started'

test('while one saves, nobody else saves, and a rewrite waits', () => {
  const busy = '-ERR Background save already in progress'
  expect(replies('BGSAVE', 'BGSAVE', 'BGSAVE SCHEDULE', 'SAVE')).toEqual([SAVES, busy, busy, busy])
  expect(replies('BGSAVE', 'FLUSHALL', 'BGSAVE')).toEqual([SAVES, '+OK', busy])
  expect(replies('BGSAVE', 'BGREWRITEAOF')).toEqual([
    SAVES,
    '+Background append only file rewriting scheduled',
  ])
})

test('while one rewrites the append-only file, a save in the background is refused or scheduled', () => {
  expect(replies('BGREWRITEAOF', 'BGREWRITEAOF', 'BGSAVE', 'BGSAVE SCHEDULE', 'SAVE')).toEqual([
    REWRITES,
    '-ERR Background append only file rewriting already in progress',
    "-ERR Another child process is active (AOF?): can't BGSAVE right now. Use BGSAVE SCHEDULE in order to schedule a BGSAVE whenever possible.",
    '+Background saving scheduled',
    '+OK',
  ])
})

test('EXEC schedules both', () => {
  expect(replies('MULTI', 'BGSAVE', 'BGREWRITEAOF', 'EXEC').slice(-2)).toEqual([
    '+Background saving scheduled',
    '+Background append only file rewriting scheduled',
  ])
})

test('INFO shows what runs and what is scheduled; the last save and the changes are as before until it ends', () => {
  const said = replies('SET a 1', 'BGSAVE', 'BGREWRITEAOF', 'INFO everything')
  expect(said).toEqual(
    expect.arrayContaining([
      ...['rdb_changes_since_last_save:1', 'rdb_bgsave_in_progress:1', 'rdb_current_bgsave_time_sec:0'],
      ...['rdb_last_bgsave_time_sec:-1', 'current_save_keys_total:1', 'total_forks:1'],
      ...['aof_rewrite_in_progress:0', 'aof_rewrite_scheduled:1', 'aof_current_rewrite_time_sec:-1'],
    ]),
  )
})

test('INFO counts saves and child processes until CONFIG RESETSTAT, and remembers that there were some', () => {
  const counts = infoLater('SAVE')
  expect(counts).toMatchObject({ rdb_saves: '1', total_forks: '0', rdb_last_bgsave_time_sec: '-1' })
  const ended = { rdb_last_bgsave_time_sec: '0', aof_last_rewrite_time_sec: '0' }
  const both = infoLater('SET a 1', 'SAVE', 'BGSAVE', 'BGREWRITEAOF')
  expect(both).toMatchObject({ ...ended, rdb_saves: '2', aof_rewrites: '1', total_forks: '2' })
  expect(both).toMatchObject({ rdb_bgsave_in_progress: '0', aof_rewrite_scheduled: '0' })
  expect(both['aof_last_cow_size']).toMatch(/^[1-9]\d+$/)
  const none = { rdb_saves: '0', aof_rewrites: '0', total_forks: '0' }
  expect(infoLater('BGSAVE', 'BGREWRITEAOF', '', 'CONFIG RESETSTAT')).toMatchObject({ ...ended, ...none })
})

test('a save in the background that ends has written what had changed when it began', () => {
  expect(infoLater('SET a 1', 'BGSAVE', 'SET b 1')).toMatchObject({ rdb_changes_since_last_save: '1' })
})

// Its figures are those of redis-server 7.0.15 after the same commands.
test('CONFIG SET appendonly begins the file with a rewrite, and INFO tells its size until it is switched off', () => {
  expect(infoLater()).toMatchObject({ aof_enabled: '0', mem_aof_buffer: '0' })
  expect(infoLater()).not.toHaveProperty('aof_current_size')
  const atOnce = replies('CONFIG SET appendonly yes', 'SET a 1', 'INFO everything')
  expect(atOnce).toEqual(
    expect.arrayContaining([
      ...['+OK', 'aof_enabled:1', 'aof_rewrite_in_progress:1', 'aof_rewrites:1'],
      ...['aof_current_size:50', 'aof_base_size:0', 'mem_aof_buffer:112'],
    ]),
  )
  const [begun, written] = [
    ['CONFIG SET appendonly yes', ''],
    ['SET a 1', 'SET b 1'],
  ]
  expect(infoLater(...begun)).toMatchObject({ aof_current_size: '89', aof_base_size: '89' })
  const grown = { aof_current_size: String(89 + 50 + 27), aof_base_size: '89' }
  expect(infoLater(...begun, ...written)).toMatchObject(grown)
  const off = infoLater(...begun, ...written, 'CONFIG SET appendonly no')
  expect(off).toMatchObject({ aof_enabled: '0', mem_aof_buffer: '0', aof_rewrites: '1' })
})

test('a rewrite ends with the file, and waits for a save in the background', () => {
  const killed = infoLater('CONFIG SET appendonly yes', 'CONFIG SET appendonly no')
  expect(killed).toMatchObject({
    aof_last_rewrite_time_sec: '-1',
    aof_rewrites: '1',
    aof_rewrite_in_progress: '0',
  })
  expect(replies('BGSAVE', 'CONFIG SET appendonly yes', 'INFO everything')).toEqual(
    expect.arrayContaining(['aof_rewrite_scheduled:1', 'aof_pending_rewrite:1', 'aof_rewrites:0']),
  )
})

test('RESTORE of what has long expired is no change', () => {
  const one = '\x00\xc0\x01'
  const payload = [...one, ...dumpFooter(one)].map(
    (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  const restored = (rest: string) =>
    infoLater('SET a 1', 'SAVE', `RESTORE z ${rest}`.replace('…', payload.join('')))
  expect(restored('2 "…" REPLACE ABSTTL')).toMatchObject({ rdb_changes_since_last_save: '0' })
  expect(restored('2 "…" REPLACE')).toMatchObject({ rdb_changes_since_last_save: '1' })
})

/** What INFO says a second later, by name; an empty command is a second, too. */
function infoLater(...commands: readonly string[]): Readonly<Record<string, string>> {
  const server = redisSession()
  const started = testContext().now()
  const ask = (text: string, seconds: number): string =>
    replay({ name: '', send: [text] }, server, testContext({ now: () => started + 1_000 * seconds })).text
  const groups = commands.join('\r\n').split('\r\n\r\n')
  for (const [seconds, group] of groups.entries()) ask(`${group}\r\n`, seconds)
  const info = ask('INFO everything\r\n', groups.length)
  return Object.fromEntries([...info.matchAll(/^(\w+):(.*)\r$/gm)].map(([, name, value]) => [name, value]))
}
