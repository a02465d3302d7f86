// `struct`, `cmsgpack` and the first line of a script, as Redis 7.0.15 answered them.
import { expect, test } from 'vitest'
import { replay } from '../../../../../test/replay.ts'
import { redisSession } from '../../products/redis-server/session.ts'

const evaluate = (script: string): string => {
  const words = ['EVAL', script, '0']
  const bytes = `*3\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`
  return replay({ name: '', send: [bytes] }, redisSession()).text
}

test('struct packs and unpacks in both byte orders', () => {
  expect(evaluate(`return struct.pack('>I2i3s',258,-2,'ab')`)).toBe('$8\r\n\x01\x02\xff\xff\xfeab\0\r\n')
  expect(evaluate(`return {struct.unpack('Bc0h','\\3abc\\255\\255')}`)).toBe(
    '*3\r\n$3\r\nabc\r\n:-1\r\n:7\r\n',
  )
  expect(evaluate(`return struct.pack('z')`)).toContain(
    "bad argument #1 to 'pack' (invalid format option 'z')",
  )
})

test('cmsgpack packs what it unpacks', () => {
  expect(evaluate(`return cmsgpack.pack(1,'a',true,nil,-200,{a=1},{1,2,{}})`)).toBe(
    '$16\r\n\x01\xa1a\xc3\xc0\xd1\xff8\x81\xa1a\x01\x93\x01\x02\x90\r\n',
  )
  expect(evaluate(`return {cmsgpack.unpack(cmsgpack.pack(1,'a',300,{1,2},-7))}`)).toBe(
    '*5\r\n:1\r\n$1\r\na\r\n:300\r\n*2\r\n:1\r\n:2\r\n:-7\r\n',
  )
  expect(evaluate(`return cmsgpack.unpack('\\204')`)).toContain('Missing bytes in input.')
})

test('a message of deep nesting or endless length costs no more than the budget of a script', () => {
  expect(evaluate(`return cmsgpack.unpack(string.rep('\\145',1000))`)).toMatch(/^-ERR/)
  expect(evaluate(`return cmsgpack.unpack('\\221\\255\\255\\255\\255')`)).toMatch(/^-ERR/)
  expect(evaluate(`return cmsgpack.unpack('\\145\\145\\145\\1') ~= nil`)).toBe(':1\r\n')
})

test('the first line of a script names its engine and its flags', () => {
  expect(evaluate('#!lua\nreturn 1')).toBe(':1\r\n')
  expect(evaluate('#!python\nreturn 1')).toBe('-ERR Unexpected engine in script shebang: #!python\r\n')
  expect(evaluate("#!lua flags=no-writes\nreturn redis.pcall('set','x',1)")).toBe(
    '-ERR Write commands are not allowed from read-only scripts.\r\n',
  )
})
