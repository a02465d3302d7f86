import { expect, test } from 'vitest'
import { replay } from '../../../../../test/replay.ts'
import { redisSession } from './session.ts'

const ask = (lines: readonly string[], startSession = redisSession()): string[] =>
  replay({ name: '', send: [`${lines.join('\r\n')}\r\n`] }, startSession).text.split('\r\n')

test('a user that an intruder makes may do what its rules say, and no more', () => {
  const startSession = redisSession()
  expect(ask(['ACL SETUSER eve on >pw ~k* &c* +get +set +publish +select|1'], startSession)).toEqual([
    '+OK',
    '',
  ])
  expect(
    ask(['AUTH eve pw', 'SET k1 v', 'GET x', 'DEL k1', 'PUBLISH d x', 'SELECT 1', 'SELECT 2'], startSession),
  ).toEqual([
    '+OK',
    '+OK',
    '-NOPERM this user has no permissions to access one of the keys used as arguments',
    "-NOPERM this user has no permissions to run the 'del' command",
    '-NOPERM this user has no permissions to access one of the channels used as arguments',
    '+OK',
    "-NOPERM this user has no permissions to run the 'select' command",
    '',
  ])
  expect(ask(['ACL LOG'], startSession)).toContain('channel')
})

test('a rule that is wrong leaves the user as it was', () => {
  const startSession = redisSession()
  const [answer] = ask(['ACL SETUSER eve on +get +nosuch'], startSession)
  expect(answer).toBe("-ERR Error in ACL SETUSER modifier '+nosuch': Unknown command or category name in ACL")
  expect(ask(['ACL USERS'], startSession)).toEqual(['*1', '$7', 'default', ''])
})

test('the rules of a user are shown as short as Redis shows them', () => {
  const line = (rules: string) =>
    ask([`ACL SETUSER b ${rules}`, 'ACL LIST']).find((each) => each.startsWith('user b'))
  expect(line('on nopass +get +set -get +@hash -hset +config|get +client -client|kill')).toBe(
    'user b on nopass resetchannels -@all +@hash +client -client|kill +config|get -hset +set',
  )
  expect(line('+@all -@dangerous allkeys allchannels')).toBe('user b off ~* &* +@all -@dangerous')
  expect(line('(+get ~x) (%R~y +@all)')).toBe(
    'user b off resetchannels -@all (~x resetchannels -@all +get) (%R~y resetchannels +@all)',
  )
})

test('users do not grow without end', () => {
  const startSession = redisSession()
  ask(
    Array.from({ length: 500 }, (_, i) => `ACL SETUSER u${i} on`),
    startSession,
  )
  expect(Number(ask(['ACL USERS'], startSession)[0]!.slice(1))).toBeLessThanOrEqual(100)
})

test('a transaction is given up when a watched key changes', () => {
  const startSession = redisSession()
  expect(ask(['WATCH k', 'MULTI', 'SET k 1', 'EXEC'], startSession)).toEqual([
    '+OK',
    '+OK',
    '+QUEUED',
    '*1',
    '+OK',
    '',
  ])
  expect(ask(['WATCH k', 'SET k 2', 'MULTI', 'SET k 3', 'EXEC', 'GET k'], startSession).slice(-4)).toEqual([
    '*-1',
    '$1',
    '2',
    '',
  ])
  expect(ask(['RPUSH l a', 'WATCH l', 'RPUSH l b', 'MULTI', 'PING', 'EXEC'], startSession).at(-2)).toBe('*-1')
})

test('places are found by distance', () => {
  const answers = ask([
    'GEOADD s 13.361389 38.115556 Palermo 15.087269 37.502669 Catania',
    'GEODIST s Palermo Catania km',
    'GEOHASH s Palermo',
    'GEOSEARCH s FROMLONLAT 15 37 BYRADIUS 200 km ASC',
    'GEOSEARCH s FROMLONLAT 15 37 BYBOX 100 150 km',
  ])
  expect(answers).toEqual([
    ':2',
    '$8',
    '166.2742',
    '*1',
    '$11',
    'sqc8b49rny0',
    '*2',
    '$7',
    'Catania',
    '$7',
    'Palermo',
    '*1',
    '$7',
    'Catania',
    '',
  ])
})

test('a HyperLogLog is a string that counts', () => {
  const elements = Array.from({ length: 1_000 }, (_, i) => `e${i}`).join(' ')
  const [added, count] = ask([`PFADD h ${elements}`, 'PFCOUNT h'])
  expect(added).toBe(':1')
  expect(Math.abs(Number(count!.slice(1)) - 1_000)).toBeLessThan(30)
})
