// What lines of Redis cost. Whatever looks at bytes pays for them in units that no machine's speed changes.
import { expect, test } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { lineWork, MAX_LINE_WORK, TooMuchWork } from '../../../../session/line-work.ts'
import type { Reply } from '../../../../session/session.ts'
import { runScript } from '../../protocol/lua/script.ts'
import { redisSession } from './session.ts'

/** What a script may look at for a unit, at most, in one call of a function. */
const BYTES_A_UNIT = 64

/** How often the script came round before it had spent a line's work, and what it spent until its first round. */
function roundsOf(setUp: string, body: string): number {
  let rounds = 0
  const host = { call: () => ((rounds += 1), '+PONG\r\n'), mayRun: () => true }
  const script = `${setUp} while true do redis.call('ping'); ${body} end`
  const work = lineWork(MAX_LINE_WORK + setUpCost(setUp))
  expect(() => runScript(script, { keys: [], args: [] }, host, work)).toThrow(TooMuchWork)
  return rounds
}

function setUpCost(setUp: string): number {
  const work = lineWork(Infinity)
  runScript(setUp, { keys: [], args: [] }, { call: () => '', mayRun: () => true }, work)
  return work.spent
}

const text =
  (unit = 'x') =>
  (n: number) =>
    `local s=string.rep('${unit}',${n})`
const list = (item: string) => (n: number) => `local t={} for i=1,${n} do t[i]=${item} end`
const keys = (n: number) => `local t={} for i=1,${n} do t['k'..i]=i end`
const MAX_ARGUMENTS = 7_000
/** A list whose `unpack` gives so many arguments. */
const few = (item: string) => (n: number) => list(item)(Math.min(n, MAX_ARGUMENTS))

/** Each function, with what is worst for it: a set-up for so many bytes or values, and a call. */
const NATIVES: Readonly<Record<string, readonly [setUp: (n: number) => string, call: string]>> = {
  'string.reverse': [text(), 's:reverse()'],
  'string.upper': [text('xX'), 's:upper()'],
  'string.lower': [text('xX'), 's:lower()'],
  'string.byte': [(n) => text()(Math.min(n, MAX_ARGUMENTS)), 's:byte(1,-1)'],
  'string.char': [few('65'), 'string.char(unpack(t))'],
  'string.rep': [text(), 'string.rep(s,1)'],
  'string.find, plain': [text(), "s:find('y',1,true)"],
  'string.find, plain and long': [
    (n) => `${text()(n)} local p=string.rep('x',${n / 4})..'y'`,
    's:find(p,1,true)',
  ],
  'string.find, %b': [text('('), "s:find('^%b()')"],
  'string.find, a star': [text(), "s:find('^x*y')"],
  'string.find, a frontier': [text(), "s:find('^x*%f[y]')"],
  'string.find, the least': [text(), "s:find('^x-y')"],
  'string.find, a set': [(n) => `${text()(n)} local p='^['..string.rep('a',${n / 4})..']'`, 's:find(p)'],
  'string.find, a capture': [text(), "s:find('^(x*)%1y')"],
  'string.gmatch': [text('x '), "for w in s:gmatch('%a+') do end"],
  'string.gsub': [text('xy'), "s:gsub('x','z')"],
  'string.gsub, a long replacement': [text(), "string.gsub('a','a',s)"],
  'string.format': [text('%%'), 's:format()'],
  'string.format, a long argument': [text(), "string.format('%s',s)"],
  'string.format, quoted': [text(), "string.format('%q',s)"],
  '..': [text(), "local u=s..'y'"],
  '==': [(n) => `${text()(n)} local u=string.rep('x',${n - 1})..'y'`, 'local a=s==u'],
  '<': [(n) => `${text()(n)} local u=string.rep('x',${n - 1})..'y'`, 'local a=s<u'],
  'table.concat': [list("''"), 'table.concat(t)'],
  'table.concat, a separator': [(n) => `${list("''")(4)} ${text()(n / 4)}`, 'table.concat(t,s)'],
  'table.insert': [list('1'), 'table.insert(t,1,1) table.remove(t)'],
  'table.sort': [list('(i*7919)%1000'), 'table.sort(t)'],
  'table.maxn': [list('1'), 'table.maxn(t)'],
  'table.foreach': [keys, 'table.foreach(t,function() return 1 end)'],
  next: [keys, 'next(t)'],
  pairs: [keys, 'for k in pairs(t) do break end'],
  unpack: [few('1'), 'unpack(t)'],
  select: [few('1'), 'select(2,unpack(t))'],
  varargs: [few('1'), '(function(...) local a={1,...} end)(unpack(t))'],
  'math.max': [few('1'), 'math.max(unpack(t))'],
  'bit.band': [few('1'), 'bit.band(unpack(t))'],
  'tonumber with a base': [text('1'), 'tonumber(s,7)'],
  loadstring: [(n) => `local s='--'..string.rep('x',${n})`, 'loadstring(s)'],
  'cjson.encode, a text': [text('\\0'), 'pcall(cjson.encode,s)'],
  'cjson.encode, a table': [keys, 'pcall(cjson.encode,t)'],
  'cjson.decode': [(n) => `local s='['..string.rep('1,',${n / 2})..'1]'`, 'cjson.decode(s)'],
  'cjson.decode, unfinished': [(n) => `local s='"'..string.rep('x',${n})`, 'pcall(cjson.decode,s)'],
  'cmsgpack.pack': [list('i'), 'cmsgpack.pack(t)'],
  'cmsgpack.unpack_one': [text(), 'cmsgpack.unpack_one(s,5)'],
  'struct.size': [text('>'), 'struct.size(s)'],
  'struct.unpack': [text(), "struct.unpack('B',s)"],
  'redis.sha1hex': [text(), 'redis.sha1hex(s)'],
}

test.each(Object.entries(NATIVES))('%s pays for what it looks at, little or much', (_, [setUp, call]) => {
  for (const size of [4_000, 32_000]) {
    const looked = setUp(size) === setUp(MAX_ARGUMENTS) ? MAX_ARGUMENTS : size
    const rounds = roundsOf(setUp(size), call)
    expect(rounds * looked, `${size}`).toBeLessThanOrEqual(BYTES_A_UNIT * MAX_LINE_WORK + looked)
  }
})

test('no function of a script is missing above, but for those that take no longer for a longer argument', () => {
  const small = `string.len string.sub string.match string.dump table.getn table.remove table.foreachi redis.call redis.pcall
    redis.error_reply redis.status_reply redis.log redis.setresp redis.acl_check_cmd redis.breakpoint redis.debug
    redis.replicate_commands redis.set_repl struct.pack cmsgpack.unpack cmsgpack.unpack_limit bit.bor bit.bxor math.min cjson.null`
  const known = new Set([...Object.keys(NATIVES).map((name) => name.split(/[, ]/)[0]), ...small.split(/\s+/)])
  const names = `local names={} for lib,t in pairs({string=string,table=table,redis=redis,struct=struct,cmsgpack=cmsgpack,cjson=cjson}) do
    for name,value in pairs(t) do if type(value)=='function' and not (lib=='cjson' and name:find('_')) then names[#names+1]=lib..'.'..name end end
    end return names`
  const session = redisSession()(testContext())
  session.open()
  const [reply] = session.receive(encode('EVAL', names, '0'))
  const found = String(reply!.send).match(/[a-z]+\.\w+/g)!
  expect(found.length).toBeGreaterThan(40)
  expect(found.filter((name) => !known.has(name))).toEqual([])
})

const encode = (...words: string[]): Buffer =>
  Buffer.from(
    `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`,
    'latin1',
  )

const many = (count: number, word: (n: number) => string | readonly string[]): string[] =>
  Array.from({ length: count }, (_, n) => word(n)).flat()
const big = 'x'.repeat(900_000)
const transaction = (count: number, ...words: string[]): string[][] => [
  ['MULTI'],
  ...Array.from({ length: count }, () => words),
  ['EXEC'],
]
const SET = ['SADD', 'k', ...many(15_000, (n) => `m${n}`)]
const ZSET = ['ZADD', 'k', ...many(12_000, (n) => [String((n * 7919) % 15_013), `m${n}`])]
const LIST = ['RPUSH', 'k', ...many(15_000, (n) => String((n * 7919) % 15_013))]

/** Lines that would take minutes, and those before them. */
const LINES: Readonly<Record<string, readonly string[][]>> = {
  'EVAL, 99 bytes': [
    ['EVAL', "local s=string.rep('x',1000000) for i=1,300000 do string.reverse(s) end", '0'],
  ],
  'EVAL, %b': [['EVAL', "return string.rep('(',60000):find('%b()')", '0']],
  'EVAL, spaces before a letter': [['EVAL', "return tonumber(string.rep(' ',1000000)..'x')", '0']],
  'EVAL, a result that holds itself twice': [['EVAL', 'local t={} for i=1,40 do t={t,t} end return t', '0']],
  'EVAL, a long number': [['EVAL', `return ${'1'.repeat(500_000)}x`, '0']],
  'EVAL in EXEC': transaction(2_000, 'EVAL', 'for i=1,100000 do end', '0'),
  KEYS: [
    ['SET', 'a'.repeat(400_000), '1'],
    ['KEYS', `*${'a'.repeat(400_000)}b`],
  ],
  'KEYS, long, of many': [
    ['MSET', ...many(8_000, (n) => [`key:${n}`, 'v'])],
    ['KEYS', '['.padEnd(900_000, 'a-z')],
  ],
  PUBLISH: [
    ['PSUBSCRIBE', ...many(900, (n) => `*${'a'.repeat(900)}${n}`)],
    ['RESET'],
    ['PUBLISH', 'a'.repeat(100_000), 'x'],
  ],
  'CONFIG GET': [['CONFIG', 'GET', ...many(100_000, () => '*')]],
  'COMMAND DOCS': [['COMMAND', 'DOCS', ...many(100_000, () => 'set')]],
  'ACL SETUSER': [['ACL', 'SETUSER', 'u', ...many(100_000, (n) => (n % 2 ? '+@all' : '-@all'))]],
  SUNION: [SET, ['SUNION', ...many(100_000, () => 'k')]],
  SINTERCARD: [SET, ['SINTERCARD', '100000', ...many(100_000, () => 'k')]],
  ZUNION: [ZSET, ['ZUNION', '100000', ...many(100_000, () => 'k')]],
  'ZRANK in EXEC': [ZSET, ...transaction(4_000, 'ZRANK', 'k', 'm5')],
  SORT: [LIST, ['SORT', 'k', ...many(50_000, () => ['GET', 'x_*->f'])]],
  BITOP: [
    ['SET', 'k', big],
    ['BITOP', 'AND', 'd', ...many(100_000, () => 'k')],
  ],
  BITFIELD: [
    ['SET', 'k', big],
    ['BITFIELD', 'k', ...many(20_000, () => ['SET', 'i64', '7', '-1'])],
  ],
  'BITCOUNT in EXEC': [['SET', 'k', big], ...transaction(4_000, 'BITCOUNT', 'k')],
  'INCRBYFLOAT in EXEC': [['SET', 'k', '1'.repeat(900_000)], ...transaction(1_000, 'INCRBYFLOAT', 'k', '1')],
  PFCOUNT: [
    ['PFADD', 'k', ...many(2_000, (n) => `e${n}`)],
    ['PFCOUNT', ...many(100_000, () => 'k')],
  ],
  'ZADD, a long number': [['ZADD', 'k', `${'1'.repeat(900_000)}x`, 'm']],
  'SCAN, a long cursor': [['SCAN', '1'.repeat(900_000)]],
  'CLIENT TRACKING': [['CLIENT', 'TRACKING', 'ON', 'BCAST', ...many(40_000, (n) => ['PREFIX', `${n}:`])]],
  WATCH: [SET, ['WATCH', ...many(100_000, (n) => `w${n}`)]],
  'DUMP, many texts': [
    ['HSET', 'k', ...many(8_000, (n) => [`f${n}`, 'a'.repeat(30)])],
    ['DUMP', 'k'],
  ],
  'SET, a megabyte of control characters': [['SET', 'k', '\x01'.repeat(1_000_000)]],
}

/** That of a fast machine is a twentieth; one that counts nothing takes minutes. */
const PATIENCE_MS = 2_000

test.each(Object.entries(LINES))('%s ends within the work of a line, and its event is raised', (_, lines) => {
  const session = redisSession()(testContext())
  session.open()
  const receive = (words: readonly string[]): Reply[] => {
    const replies = session.receive(encode(...words))
    while (session.hasMore) replies.push(...session.resume())
    return replies
  }
  for (const line of lines.slice(0, -1)) expect(receive(line).at(-1)!.close).toBeUndefined()
  const elapsedMs = processorTimer()
  const replies = receive(lines.at(-1)!)
  expect(elapsedMs()).toBeLessThan(PATIENCE_MS)
  expect(replies[0]!.error).toBeUndefined()
  expect(replies[0]!.events).toMatchObject([{ logtype: '21001', fields: { CMD: lines.at(-1)![0] } }])
})

test('a line that costs too much is left without an answer for a minute; a script is killed, as by somebody', () => {
  const startSession = redisSession()
  const ask = (...lines: string[][]): Reply[] => {
    const session = startSession(testContext())
    session.open()
    return lines.flatMap((line) => session.receive(encode(...line)))
  }
  expect(ask(...LINES['SUNION']!).at(-1)).toMatchObject({ delayMs: 60_000, close: 'reset' })
  const [killed] = ask(...LINES['EVAL, 99 bytes']!)
  expect(killed).toMatchObject({ delayMs: 5_000 })
  expect(killed!.send).toMatch(/^-ERR Error running script, Script killed by user with SCRIPT KILL/)
  expect(ask(['PING'])[0]!.send).toBe('+PONG\r\n')
})

test('a line whose client is gone is recorded, and hardly worked on', () => {
  const session = redisSession()(testContext({ isGone: true }))
  session.open()
  const [reply] = session.receive(encode('EVAL', 'for i=1,100000 do end', '0'))
  expect(reply!.send).toMatch(/killed/)
  expect(reply!.events).toHaveLength(1)
})
