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

test('while one saves, nobody else saves', () => {
  const busy = '-ERR Background save already in progress'
  expect(replies('BGSAVE', 'BGSAVE', 'BGSAVE SCHEDULE', 'SAVE')).toEqual([SAVES, busy, busy, busy])
  expect(replies('BGSAVE', 'FLUSHALL', 'BGSAVE')).toEqual([SAVES, '+OK', busy])
})

test('EXEC schedules a save, which is done a second later', () => {
  const commands = ['MULTI', 'SET a 1', 'BGSAVE', 'EXEC']
  const said = replies(...commands, 'INFO everything')
  expect(said).toEqual(
    expect.arrayContaining(['+Background saving scheduled', 'rdb_changes_since_last_save:1', 'rdb_saves:0']),
  )
  expect(infoLater(...commands)).toMatchObject({ rdb_changes_since_last_save: '0', rdb_saves: '1' })
})

test('INFO shows what runs; the last save and the changes are as before until it ends', () => {
  expect(replies('SET a 1', 'BGSAVE', 'INFO everything')).toEqual(
    expect.arrayContaining([
      ...['rdb_changes_since_last_save:1', 'rdb_bgsave_in_progress:1', 'rdb_current_bgsave_time_sec:0'],
      ...['rdb_last_bgsave_time_sec:-1', 'current_save_keys_total:1', 'total_forks:1'],
    ]),
  )
})

test('INFO counts saves and child processes until CONFIG RESETSTAT, and remembers that there were some', () => {
  const counts = infoLater('SAVE')
  expect(counts).toMatchObject({ rdb_saves: '1', total_forks: '0', rdb_last_bgsave_time_sec: '-1' })
  const ended = { rdb_last_bgsave_time_sec: '0' }
  const both = infoLater('SET a 1', 'SAVE', 'BGSAVE')
  expect(both).toMatchObject({ ...ended, rdb_saves: '2', total_forks: '1', rdb_bgsave_in_progress: '0' })
  const none = { rdb_saves: '0', total_forks: '0' }
  expect(infoLater('BGSAVE', '', 'CONFIG RESETSTAT')).toMatchObject({ ...ended, ...none })
})

test('a save in the background that ends has written what had changed when it began', () => {
  expect(infoLater('SET a 1', 'BGSAVE', 'SET b 1')).toMatchObject({ rdb_changes_since_last_save: '1' })
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
