// DUMP, RESTORE and the RDB: what the decoy writes is what it reads, and what Redis' own checker takes.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replay } from '../../../../../../test/replay.ts'
import { testContext } from '../../../../../../test/session-context.ts'
import { crc64 } from './crc64.ts'
import { compress, decompress } from './lzf.ts'
import { listpack, readListpack } from './listpack.ts'
import { redisSession } from '../session.ts'

const encode = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`
const ask = (server: ReturnType<typeof redisSession>, ...commands: (readonly string[])[]): string =>
  replay({ name: '', send: [commands.map(encode).join('')] }, server, testContext()).text
const bulk = (reply: string): string => reply.slice(reply.indexOf('\r\n') + 2, -2)

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))
const element = fc.oneof(
  fc.string({ unit: byte, maxLength: 90 }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.integer({ min: -5000, max: 5000 }).map(String),
  fc
    .tuple(fc.string({ unit: byte, minLength: 1, maxLength: 5 }), fc.nat(900))
    .map(([text, n]) => text.repeat(n)),
)
const elements = fc.array(element, { minLength: 1, maxLength: 40 })
const pairs = elements.map((names) => names.flatMap((name, at) => [name, String(at)]))

/** Commands that write one key. */
const writes = fc.oneof(
  element.map((value) => [['SET', 'k', value]]),
  elements.map((values) => [['RPUSH', 'k', ...values]]),
  elements.map((values) => [['SADD', 'k', ...values]]),
  fc.uniqueArray(fc.integer(), { minLength: 1 }).map((values) => [['SADD', 'k', ...values.map(String)]]),
  pairs.map((fields) => [['HSET', 'k', ...fields]]),
  pairs.map((fields) => [['ZADD', 'k', ...fields.reverse()]]),
)

/** A stream of some entries, of which the first is gone: it is dumped, and not restored. */
const streams = elements.map((values) => [
  ...values.map((value, at) => [
    'XADD',
    'k',
    `${at + 1}-1`,
    ...(at % 3 ? ['f', value] : ['g', '1', 'f', value]),
  ]),
  ['XDEL', 'k', '1-1'],
])

test('what is dumped can be restored, and is the same then', () => {
  fc.assert(
    fc.property(writes, (commands) => {
      const server = redisSession()
      ask(server, ...commands)
      const payload = bulk(ask(server, ['DUMP', 'k']))
      expect(ask(server, ['RESTORE', 'copy', '0', payload])).toBe('+OK\r\n')
      expect(bulk(ask(server, ['DUMP', 'copy']))).toBe(payload)
      expect(ask(server, ['OBJECT', 'ENCODING', 'copy'])).toBe(ask(server, ['OBJECT', 'ENCODING', 'k']))
    }),
    { numRuns: 60 },
  )
})

test('a changed payload is refused, whatever was changed', () => {
  fc.assert(
    fc.property(writes, fc.nat(), fc.integer({ min: 1, max: 255 }), (commands, place, change) => {
      const server = redisSession()
      ask(server, ...commands)
      const payload = bulk(ask(server, ['DUMP', 'k']))
      const at = place % payload.length
      const changed =
        payload.slice(0, at) + String.fromCharCode(payload.charCodeAt(at) ^ change) + payload.slice(at + 1)
      expect(ask(server, ['RESTORE', 'copy', '0', changed])).toBe(
        '-ERR DUMP payload version or checksum are wrong\r\n',
      )
    }),
    { numRuns: 30 },
  )
})

test('a damaged value with a right checksum is refused, or is a value that every command can read', () => {
  const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(writes, fc.array(change, { minLength: 1, maxLength: 4 }), (commands, changes) => {
      const server = redisSession()
      ask(server, ...commands)
      const body = Buffer.from(bulk(ask(server, ['DUMP', 'k'])).slice(0, -8), 'latin1')
      for (const [place, code] of changes) body[place % (body.length - 2)] = code
      const payload = body.toString('latin1') + crc64(body.toString('latin1'))
      const reply = ask(server, ['RESTORE', 'copy', '0', payload])
      expect(reply).toMatch(/^(\+OK|-ERR Bad data format|-OOM .*)\r\n$/)
      const questions = ['DUMP', 'OBJECT ENCODING', 'MEMORY USAGE'].map((name) => [
        ...name.split(' '),
        'copy',
      ])
      ask(
        server,
        ...questions,
        ['LRANGE', 'copy', '0', '-1'],
        ['ZRANGE', 'copy', '0', '-1', 'WITHSCORES'],
        ['SYNC'],
      )
    }),
    { numRuns: 60 },
  )
})

test('compressed bytes become what they were, and random ones never throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: byte, maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, times) => {
      const whole = text.repeat(times)
      const packed = compress(whole, whole.length - 4)
      if (packed !== undefined) expect(decompress(packed, whole.length)).toBe(whole)
      expect(decompress(text, 100)?.length ?? 100).toBe(100)
    }),
  )
  fc.assert(
    fc.property(fc.array(element, { maxLength: 30 }), (found) => {
      expect(readListpack(listpack(found))).toEqual(found)
    }),
  )
})

test('a payload that unpacks to more than the decoy keeps is refused', () => {
  const server = redisSession()
  const big = 'x'.repeat(900_000)
  expect(ask(server, ['SET', 'k', big])).toBe('+OK\r\n')
  const payload = bulk(ask(server, ['DUMP', 'k']))
  expect(payload.length).toBeLessThan(20_000)
  expect(ask(server, ['RESTORE', 'copy', '0', payload])).toMatch(/^-OOM /)
  expect(ask(server, ['EXISTS', 'copy'])).toBe(':0\r\n')
})

test('dumps of a big value wait for each other, and no transaction of them holds up the decoy', () => {
  const server = redisSession()
  ask(server, ['SET', 'k', 'x'.repeat(900_000)])
  const session = server(testContext())
  session.open()
  const dump = Buffer.from(encode(['DUMP', 'k']))
  const [first] = session.receive(Buffer.concat([dump, dump]))
  expect(first!.delayMs).toBeGreaterThan(20)
  expect(session.hasMore).toBe(true)
  const dumps = Array.from({ length: 1_000 }, () => ['DUMP', 'k'])
  // The real server would be busy for seconds.
  const transaction = [['MULTI'], ...dumps, ['EXEC']].map(encode)
  const { text, closed } = replay({ name: '', send: transaction }, server)
  expect(text).toMatch(/QUEUED\r\n$/)
  expect(closed).toBe(true)
})

const hasChecker = spawnSync('redis-check-rdb', ['--version']).error === undefined

test.skipIf(!hasChecker)('redis-check-rdb takes what a replica gets (needs redis-check-rdb)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-rdb-'))
  const file = join(folder, 'stolen.rdb')
  const check = (keys: readonly string[][][]): void => {
    const server = redisSession()
    for (const [at, commands] of keys.entries())
      ask(server, ...commands.map(([name = '', , ...rest]) => [name, `k${at}`, ...rest]))
    ask(server, ['SET', 'brief', '1', 'EX', '1000'], ['SELECT', '3'], ['SET', 'other', '1'])
    writeFileSync(file, Buffer.from(ask(server, ['SYNC']).replace(/^\$\d+\r\n/, ''), 'latin1'))
    const said = execFileSync('redis-check-rdb', [file], { encoding: 'utf8' })
    expect(said).toContain('Checksum OK')
    expect(said).toContain(`${keys.length + 2} keys read`)
  }
  try {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ arbitrary: writes, weight: 5 }, streams), { minLength: 60, maxLength: 60 }),
        check,
      ),
      { numRuns: 1 },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
