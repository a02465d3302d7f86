// Arguments at the edge, as Redis 7.0.15 answered them.
import { expect, test } from 'vitest'
import { replay } from '../../../../../test/replay.ts'
import { redisSession } from './session.ts'

const inline = (...lines: string[]): string =>
  replay({ name: '', send: [lines.map((line) => `${line}\r\n`).join('')] }, redisSession()).text

test('LCS shows where the common parts stand', () => {
  expect(inline('MSET a ohmytext b mynewtext', 'LCS a b IDX MINMATCHLEN 4 WITHMATCHLEN')).toBe(
    '+OK\r\n*4\r\n$7\r\nmatches\r\n*1\r\n*3\r\n*2\r\n:4\r\n:7\r\n*2\r\n:5\r\n:8\r\n:4\r\n$3\r\nlen\r\n:6\r\n',
  )
  expect(inline('MSET a ohmytext b mynewtext', 'LCS a b', 'LCS a b LEN', 'LCS a b LEN IDX')).toBe(
    '+OK\r\n$6\r\nmytext\r\n:6\r\n-ERR If you want both the length and indexes, please just use IDX.\r\n',
  )
})

test('a wrong subcommand is named as it was written', () => {
  expect(inline('XGROUP create s g 0 x')).toBe(
    "-ERR unknown subcommand or wrong number of arguments for 'create'. Try XGROUP HELP.\r\n",
  )
})

test('options of XGROUP are read in order, and counted last', () => {
  const wrong = (name: string) =>
    `-ERR unknown subcommand or wrong number of arguments for '${name}'. Try XGROUP HELP.\r\n`
  expect(inline('XGROUP CREATE s g 0 MKSTREAM', 'XGROUP SETID s g 0 ENTRIESREAD inf 10')).toBe(
    '+OK\r\n-ERR value is not an integer or out of range\r\n',
  )
  expect(
    inline('XGROUP CREATE s g 0 MKSTREAM MKSTREAM', 'XGROUP SETID s g 0 ENTRIESREAD 4 ENTRIESREAD 5'),
  ).toBe(`+OK\r\n${wrong('SETID')}`)
  expect(inline('XGROUP CREATE s g 0 MKSTREAM ENTRIESREAD 5 ENTRIESREAD 3')).toBe(wrong('CREATE'))
})

test('numbers are read as by strtod and strtoull', () => {
  expect(inline('SET f 3', 'INCRBYFLOAT f 0x1p3', 'ZINCRBY z -0 m')).toBe('+OK\r\n$2\r\n11\r\n$2\r\n-0\r\n')
  expect(inline('XADD s +1 k v')).toBe('$3\r\n1-0\r\n')
  expect(inline('GEOADD g 500 -0 m')).toBe('-ERR invalid longitude,latitude pair 500.000000,-0.000000\r\n')
})

test('XSETID takes what a replica is given', () => {
  expect(inline('XADD s 1-1 k v', 'XSETID s 5-0 ENTRIESADDED 9 MAXDELETEDID 0-1', 'XSETID s 5-0 x')).toBe(
    '$3\r\n1-1\r\n+OK\r\n-ERR syntax error\r\n',
  )
})
