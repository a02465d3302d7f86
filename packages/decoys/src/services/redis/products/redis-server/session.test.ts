import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAnswers } from '../../../../../test/probe.ts'
import { differences, replay } from '../../../../../test/replay.ts'
import { deriveFrom, testContext } from '../../../../../test/session-context.ts'
import { drawFrom } from '../../../../../test/draw.ts'
import { probes } from '../../../../../lab/redis/redis-server/corpus.ts'
import { mask } from '../../../../../lab/redis/redis-server/mask.ts'
import { drawWords } from '../../../../../lab/redis/redis-server/templates.ts'
import { redisSession } from './session.ts'

const encode = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`
const ask = (text: string, startSession = redisSession(), context = testContext()) =>
  replay({ name: '', send: [text] }, startSession, context).text

test('99 of 100 probes are answered as Redis 7.0.15 answers them', () => {
  const found = differences(
    probes,
    readAnswers(new URL('../../../../../lab/redis/redis-server/', import.meta.url)),
    redisSession,
    mask,
  )
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(found.length / probes.length, JSON.stringify(found, null, 1)).toBeLessThanOrEqual(0.01)
})

test('every command raises an event with its arguments, binary escaped', () => {
  const session = redisSession()(testContext())
  session.open()
  const bytes = Buffer.from(
    '*3\r\n$3\r\nset\r\n$1\r\na\r\n$4\r\n\x00\xff\r\n\r\nconfig get dir\r\n',
    'latin1',
  )
  expect(session.receive(bytes).flatMap(({ events = [] }) => events)).toEqual([
    { logtype: '21001', fields: { CMD: 'SET', ARGS: 'a \\x00ÿ\\r\\n' } },
    { logtype: '21001', fields: { CMD: 'CONFIG', ARGS: 'get dir' } },
  ])
})

test('a key that one connection writes is read by the next one, and not on another Bird', () => {
  const [here, there] = [redisSession(), redisSession()]
  ask('SET door open\r\n', here)
  expect(ask('GET door\r\n', here)).toBe('$4\r\nopen\r\n')
  expect(ask('GET door\r\n', there)).toBe('$-1\r\n')
})

test('each Bird has a run id of its own that stays the same, and its uptime grows', () => {
  const info = (seed: string, now: number) =>
    Object.fromEntries(
      ask('INFO\r\n', redisSession(), testContext({ derive: deriveFrom(seed), now: () => now }))
        .split('\r\n')
        .map((line) => line.split(':') as [string, string]),
    )
  const now = Date.UTC(2026, 10, 20)
  const [one, later, other] = [info('1', now), info('1', now + 60_000), info('2', now)]
  expect(one['run_id']).toBe(later['run_id'])
  expect(one['run_id']).not.toBe(other['run_id'])
  expect(one['master_replid']).not.toBe(other['master_replid'])
  expect(Number(later['uptime_in_seconds']) - Number(one['uptime_in_seconds'])).toBe(60)
})

test('the keyspace holds at most a megabyte, and FLUSHALL makes room again', () => {
  const startSession = redisSession()
  const big = 'x'.repeat(100_000)
  const text = Array.from({ length: 30 }, (_, i) => encode(['SET', `k${i}`, big])).join('')
  const answers = ask(text, startSession).split('\r\n')
  expect(answers.filter((line) => line === '+OK').length).toBe(10)
  expect(answers.filter((line) => line.startsWith('-OOM')).length).toBe(20)
  expect(ask(`FLUSHALL\r\n${encode(['SET', 'a', 'b'])}`, startSession)).toBe('+OK\r\n+OK\r\n')
  expect(
    ask(`${encode(['SET', 'a', big])}${'COPY a b REPLACE\r\n'.repeat(100)}DBSIZE\r\n`, startSession),
  ).toMatch(/:2\r\n$/)
})

test('texts that a short command makes long count too', () => {
  const startSession = redisSession()
  const commands = Array.from(
    { length: 40 },
    (_, i) => `SETRANGE r${i} 100000 x\r\nSETBIT b${i} 800000 1\r\nBITOP NOT n${i} b0\r\n`,
  )
  const refused = ask(commands.join(''), startSession)
    .split('\r\n')
    .filter((line) => line.startsWith('-OOM'))
  expect(refused.length).toBeGreaterThan(100)
})

test('a reply that would be huge is refused before it is built', () => {
  const startSession = redisSession()
  ask(encode(['SET', 'a', 'x'.repeat(500_000)]), startSession)
  expect(ask(encode(['MGET', ...Array<string>(1_000).fill('a')]), startSession)).toMatch(/^-OOM/)
})

const inline = (lines: readonly string[], startSession = redisSession()) =>
  ask(`${lines.join('\r\n')}\r\n`, startSession)

test('bits, streams, scripts and sorted sets keep what was written', () => {
  expect(inline(['SETBIT b 7 1', 'GETBIT b 7', 'BITCOUNT b', 'GET b'])).toBe(
    ':0\r\n:1\r\n:1\r\n$1\r\n\x01\r\n',
  )
  expect(inline(['XADD s 1-1 a b', 'XLEN s', 'XRANGE s - +'])).toBe(
    '$3\r\n1-1\r\n:1\r\n*1\r\n*2\r\n$3\r\n1-1\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n',
  )
  expect(inline(['ZADD z 1 a 2.5 b', 'ZRANGE z (1 3 BYSCORE WITHSCORES'])).toBe(
    ':2\r\n*2\r\n$1\r\nb\r\n$3\r\n2.5\r\n',
  )
  expect(inline(['SET k 5', `EVAL "return redis.call('get',KEYS[1])..ARGV[1]" 1 k x`])).toBe(
    '+OK\r\n$2\r\n5x\r\n',
  )
  expect(inline(['SORT l', 'RPUSH l 3 1 2', 'SORT l DESC LIMIT 0 2'])).toBe(
    '*0\r\n:3\r\n*2\r\n$1\r\n3\r\n$1\r\n2\r\n',
  )
})

test('no stream has a group: each command about one says so in the words of Redis', () => {
  const said = (line: string): string => inline(['XADD s 1-1 a b', line]).slice('$3\r\n1-1\r\n'.length)
  const missing = "-NOGROUP No such key 's' or consumer group 'g'"
  expect(said('XREADGROUP GROUP g c STREAMS s >')).toBe(`${missing} in XREADGROUP with GROUP option\r\n`)
  for (const line of ['XPENDING s g', 'XCLAIM s g c 0 1-1', 'XAUTOCLAIM s g c 0 0'])
    expect(said(line)).toBe(`${missing}\r\n`)
  for (const line of ['XGROUP SETID s g 0', 'XGROUP CREATECONSUMER s g c', 'XINFO CONSUMERS s g'])
    expect(said(line)).toBe("-NOGROUP No such consumer group 'g' for key name 's'\r\n")
  expect([said('XACK s g 1-1'), said('XGROUP DESTROY s g')]).toEqual([':0\r\n', ':0\r\n'])
  expect(said('XINFO GROUPS s')).toBe('*0\r\n')
  expect(said('XGROUP CREATE t g 0')).toMatch(/^-ERR The XGROUP subcommand requires the key to exist\. /)
  expect(said('XGROUP CREATE s g 0')).toBe("-OOM command not allowed when used memory > 'maxmemory'.\r\n")
})

test('a rough trim takes whole nodes of a hundred entries', () => {
  const entries = Array.from({ length: 250 }, (_, n) => `XADD s ${n + 1}-1 k v`)
  const said = (trim: string): string =>
    inline([...entries, trim])
      .split('\r\n')
      .at(-2)!
  const trims = ['XTRIM s MAXLEN ~ 120', 'XTRIM s MAXLEN 120', 'XTRIM s MINID ~ 90', 'XTRIM s MAXLEN ~ 0']
  expect(trims.map(said)).toEqual([':100', ':130', ':0', ':250'])
})

test('a script that reaches for the system is refused as by a Redis that is not vulnerable', () => {
  expect(inline([`EVAL "os.execute('id')" 0`])).toMatch(
    /nonexistent global variable 'os' script: [0-9a-f]{40}, on @user_script:1\.\r\n$/,
  )
})

describe('a pop that finds nothing', () => {
  let now = 0
  const waitingPop = () => {
    now = Date.UTC(2026, 10, 20)
    const session = redisSession()(testContext({ now: () => now }))
    session.open()
    const [reply] = session.receive(Buffer.from('BLPOP nothing 2\r\nPING\r\n'))
    expect(reply).toMatchObject({ holds: true })
    expect(reply!.send).toBeUndefined()
    return { session, wakeMs: reply!.wakeMs! }
  }

  test('answers when the server looks for time-outs, ten times a second', () => {
    const { session, wakeMs } = waitingPop()
    expect(wakeMs).toBeGreaterThanOrEqual(2_000)
    expect(wakeMs).toBeLessThanOrEqual(2_100)
    now += wakeMs
    expect(session.wake()).toMatchObject({ holds: false })
    expect(session.resume()).toMatchObject([{ send: '*-1\r\n+PONG\r\n' }])
    const replies = session.receive(Buffer.from('MULTI\r\nBLPOP nothing 2\r\nEXEC\r\n'))
    expect(replies.at(-1)).toMatchObject({ send: '*1\r\n*-1\r\n' })
    expect(replies.at(-1)!.delayMs).toBeUndefined()
  })

  test('answers though the timer comes a millisecond early', () => {
    const { session } = waitingPop()
    now += 1_999
    const early = session.wake()
    expect(early).toMatchObject({ holds: true })
    now += early!.wakeMs!
    expect(session.wake()).toMatchObject({ holds: false })
    expect(session.resume()).toMatchObject([{ send: '*-1\r\n+PONG\r\n' }])
  })

  test('answers as soon as more bytes come behind its time-out, of this connection or another', () => {
    now = Date.UTC(2026, 10, 20)
    const startSession = redisSession()
    let isWoken = false
    const open = (wakeSoon?: () => void) => {
      const session = startSession(testContext({ now: () => now, ...(wakeSoon && { wakeSoon }) }))
      session.open()
      return session
    }
    const sent = (replies: readonly { readonly send?: unknown }[]) =>
      replies.map(({ send = '' }) => String(send)).join('')
    const [own, waiting, other] = [open(), open(() => (isWoken = true)), open()]
    own.receive(Buffer.from('BLPOP a 0.01\r\n'))
    waiting.receive(Buffer.from('BLPOP b 0.01\r\n'))
    expect(sent(own.receive(Buffer.from('PI')))).toBe('')
    now += 11
    expect(sent(own.receive(Buffer.from('NG\r\n')))).toBe('*-1\r\n+PONG\r\n')
    expect(sent(other.receive(Buffer.from('ECHO')))).toBe('')
    expect(isWoken).toBe(true)
    expect(waiting.wake()).toMatchObject({ send: '*-1\r\n', holds: false })
  })

  test('gets no answer where a browser speaks HTTP behind it', () => {
    const session = redisSession()(testContext({ now: () => now }))
    session.open()
    const [{ wakeMs } = {}] = session.receive(Buffer.from('BLPOP a 0.01\r\nHost: x\r\n'))
    now += wakeMs!
    expect(session.wake()!.send).toBeUndefined()
    expect(session.resume()).toMatchObject([{ close: 'discard' }])
  })

  test('is looked for as often as `hz` says, from the next look on', () => {
    const session = redisSession()(testContext({ now: () => now }))
    session.open()
    const waitMs = (text: string) => session.receive(Buffer.from(`${text}\r\n`)).at(-1)!.wakeMs!
    now = Date.UTC(2026, 10, 20)
    const untilLook = waitMs('BLPOP a 0.001')
    now += untilLook
    session.wake()
    // The last look was now: with `hz` 1, the next is in a tenth of a second, the one behind it a second later.
    expect(waitMs('CONFIG SET hz 1\r\nBLPOP a 0.001')).toBe(100)
    now += 100
    session.wake()
    now += 1
    expect(waitMs('BLPOP a 0.001')).toBe(999)
  })
})

test('a password that an intruder sets is asked of everyone who comes later', () => {
  const startSession = redisSession()
  expect(inline(['CONFIG SET requirepass hunter2', 'PING'], startSession)).toBe('+OK\r\n+PONG\r\n')
  expect(inline(['GET a', 'AUTH no', 'AUTH hunter2', 'GET a'], startSession)).toBe(
    '-NOAUTH Authentication required.\r\n-WRONGPASS invalid username-password pair or user is disabled.\r\n+OK\r\n$-1\r\n',
  )
})

test('a server that was made a replica says so, and takes no writes', () => {
  const startSession = redisSession()
  expect(inline(['SLAVEOF 192.0.2.9 6379', 'ROLE', 'SET a b', 'INFO replication'], startSession)).toMatch(
    /^\+OK\r\n\*5\r\n\$5\r\nslave\r\n\$9\r\n192\.0\.2\.9\r\n:6379\r\n\$10\r\nconnecting\r\n:-1\r\n-READONLY [\s\S]*role:slave/,
  )
  expect(inline(['SLAVEOF NO ONE', 'SET a b'], startSession)).toBe('+OK\r\n+OK\r\n')
})

test('a browser that speaks HTTP gets nothing, not even for its first line', () => {
  expect(replay({ name: '', send: ['GET / HTTP/1.1\r\nHost: x\r\n\r\n'] }, redisSession())).toEqual({
    text: '',
    closed: true,
  })
})

test('no garbage makes the session throw', () => {
  const words = fc.constantFrom(
    'SET',
    'GET',
    'HSET',
    'ZADD',
    'SCAN',
    'CONFIG',
    'CLIENT',
    'EVAL',
    'XADD',
    'XREAD',
    'SETBIT',
    'BITFIELD',
    'SORT',
    'ZRANGE',
    'LMPOP',
    'STREAMS',
    'return redis.call("get",{1})',
    'LREM',
    'MULTI',
    'EXEC',
    'a',
    '-1',
    '0',
    '9'.repeat(25),
    '*',
    '[',
    '\\',
    '',
    'INFO',
  )
  const commands = fc
    .array(fc.array(words, { minLength: 1, maxLength: 6 }).map(encode), { maxLength: 8 })
    .map((all) => all.join(''))
  const garbage = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)),
    maxLength: 200,
  })
  fc.assert(
    fc.property(
      fc.array(fc.oneof(commands, garbage)),
      (send) => void replay({ name: '', send }, redisSession()),
    ),
    { numRuns: 500 },
  )
})

// Parsing it from the start at each byte would exceed the time limit of the test.
test('a long command that comes byte by byte is parsed once', () => {
  const text = encode(['DEL', ...Array<string>(30_000).fill('key')])
  expect(replay({ name: '', send: [...text] }, redisSession()).text).toBe(':0\r\n')
})

test('a word without `$` is refused as soon as its line is there', () => {
  for (const send of [
    ['*2\r\n$', '4\r\nECHO\r', '\n:1\r\n'],
    ['*1048577\r\n', 'XDEL s 1-1\r\n'],
  ])
    expect(replay({ name: '', send }, redisSession())).toMatchObject({
      text: expect.stringMatching(/^-ERR Protocol error: expected '\$', got '[:X]'\r\n$/),
      closed: true,
    })
})

test('no command, changed at random, makes the session throw or hang', () => {
  const seed = process.env['ROOKERY_SEED'] ?? String(Date.now())
  const draw = drawFrom(seed)
  const startSession = redisSession()
  for (let connection = 0; connection < 200; connection += 1) {
    const send = draw.many(20, 40, () => {
      const words = drawWords(draw).map((word) =>
        draw.chance(0.2) ? word.slice(0, draw.int(word.length + 1)) + draw.bytes(1 + draw.int(3)) : word,
      )
      return encode(words)
    })
    expect(() => replay({ name: '', send }, startSession), `seed ${seed}`).not.toThrow()
  }
})
