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
  expect(inline('XADD s 1-1 a b', 'XINFO stream s x')).toBe(
    "$3\r\n1-1\r\n-ERR unknown subcommand or wrong number of arguments for 'stream'. Try XINFO HELP.\r\n",
  )
})

test('SPOP wants a count that is none too few, before it looks at the key', () => {
  const wrong = '-ERR value is out of range, must be positive\r\n'
  expect(inline('SET s 1', 'SPOP s x', 'SPOP s -1', 'SPOP t 99999999999999999999')).toBe(
    `+OK\r\n${wrong.repeat(3)}`,
  )
  expect(inline('SADD t a b', 'SPOP t 9', 'SPOP t 1 2')).toBe(
    ':2\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n-ERR syntax error\r\n',
  )
})

test('options are read in order: what is wrong first is named, before a word too many', () => {
  expect(inline('CLIENT KILL TYPE odd x')).toBe("-ERR Unknown client type 'odd'\r\n")
  expect(inline('CLIENT KILL TYPE normal x')).toBe('-ERR syntax error\r\n')
  expect(inline('HELLO 3 AUTH a b x')).toMatch(/^-WRONGPASS /)
  expect(inline('SLOWLOG GET x 1')).toMatch(/^-ERR unknown subcommand or wrong number of arguments for 'GET'/)
})

test('numbers are read as by strtod and strtoull', () => {
  expect(inline('SET f 3', 'INCRBYFLOAT f 0x1p3', 'ZINCRBY z -0 m')).toBe('+OK\r\n$2\r\n11\r\n$2\r\n-0\r\n')
  expect(inline('XADD s +1 k v')).toBe('$3\r\n1-0\r\n')
  expect(inline('GEOADD g 500 -0 m')).toBe('-ERR invalid longitude,latitude pair 500.000000,-0.000000\r\n')
})
