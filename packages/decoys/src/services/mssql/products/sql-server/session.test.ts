// Events, session ids, time and limits of a connection.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { deriveFrom, testContext } from '../../../../../test/session-context.ts'
import { login, message, oldLogin, packet, prelogin, TYPE } from '../../../../../lab/mssql/client.ts'
import { openServer } from '../../service.ts'
import { converse, NAMES } from '../../../../../lab/mssql/conversation.ts'
import { handshakePackets } from './tls.ts'
import { versionNamed } from './profile.ts'

const server = () => openServer(versionNamed('2019'), NAMES)

test('a login is one event with all keys', () => {
  const { events, atEnd } = converse([
    packet(TYPE.login, login({ user: 'CORP\\eve', password: 'x y', server: 'db.lan' })),
  ])
  expect(events).toEqual([
    {
      logtype: '9001',
      fields: {
        USERNAME: 'CORP\\eve',
        PASSWORD: 'x y',
        HOSTNAME: 'ATTACKER',
        DOMAINNAME: 'CORP',
        APPNAME: 'sqlcmd',
        SERVERNAME: 'db.lan',
      },
    },
  ])
  expect(atEnd()).toEqual([])
})

test('what an intruder sends stays one line of an event', () => {
  const { events } = converse([packet(TYPE.login, login({ user: 'a\nb\u202e\u0000', password: '\u2028' }))])
  expect(events[0]!.fields).toMatchObject({ USERNAME: 'a\\nb\\u202e\\x00', PASSWORD: '\\u2028' })
})

test('a tool that repeats an old login because of the close is counted once', () => {
  const start = server()
  const attempt = (password: string, host = '203.0.113.9'): number =>
    converse([packet(TYPE.oldLogin, oldLogin({ password }))], {
      server: start,
      context: { src: { host, port: 1 } },
    }).events.length
  expect(['a', 'a', 'a', 'b', 'b'].map((password) => attempt(password))).toEqual([1, 0, 0, 1, 0])
  expect(attempt('a', '203.0.113.10')).toBe(1)
})

test('packets without content cost nothing, however many a message has', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const session = server()(testContext())
  session.open()
  const empty = packet(TYPE.login, Buffer.alloc(0), { status: 0 })
  session.receive(empty)
  collect()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 10; n++) session.receive(Buffer.concat(Array.from({ length: 6_000 }, () => empty)))
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4e6)
  expect(session.receive(packet(TYPE.login, login()))[0]?.events).toHaveLength(1)
})

test('each login has the smallest session id that is free', () => {
  const start = server()
  const open = () => {
    const session = start(testContext())
    session.open()
    return {
      session,
      spid: Buffer.from(session.receive(packet(TYPE.login, login()))[0]!.send!).readUInt16BE(4),
    }
  }
  const [first, second] = [open(), open()]
  expect(second.spid).toBe(first.spid + 1)
  first.session.closed()
  expect(open().spid).toBe(first.spid)
})

test('Birds have other numbers of sessions in use, each always the same', () => {
  const spidOf = (seed: string): number =>
    converse([packet(TYPE.login, login())], { context: { derive: deriveFrom(seed) } }).packets[0]!.spid
  const spids = Array.from({ length: 30 }, (_, i) => spidOf(`seed ${i}`))
  expect(new Set(spids).size).toBeGreaterThan(5)
  expect(Math.min(...spids)).toBeGreaterThanOrEqual(51)
  expect(spidOf('seed 0')).toBe(spids[0])
})

test('a connection without a login is closed after 60 seconds, whatever drips in', () => {
  const session = server()(testContext())
  expect(session.open().wakeMs).toBe(60_000)
  session.receive(packet(TYPE.prelogin, prelogin()))
  session.receive(Buffer.from([TYPE.login]))
  expect(session.wake()).toMatchObject({ close: 'end' })
})

test('no more is kept than a login may have', () => {
  const session = server()(testContext())
  session.open()
  for (let count = 0; count < 4; count += 1)
    session.receive(packet(TYPE.login, Buffer.alloc(32_000), { status: 0 }))
  expect(session.unreadBytes).toBeLessThan(140_000)
  expect(session.receive(packet(TYPE.login, Buffer.alloc(32_000), { status: 0 }))).toMatchObject([
    { close: 'end' },
  ])
})

test('records are taken out of packets however these are cut, and bare ones pass behind them', () => {
  const records = Buffer.from(Array.from({ length: 9_000 }, (_, i) => i & 0xff))
  const bare = Buffer.from('1703030001aa', 'hex')
  const stream = Buffer.concat([message(TYPE.prelogin, records, 4_096), bare])
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 8 }), (cuts) => {
      const { unwrap } = handshakePackets()
      const edges = [0, ...cuts.sort((a, b) => a - b), stream.length]
      const parts = edges.slice(1).map((end, i) => unwrap(stream.subarray(edges[i], end)))
      expect(Buffer.concat(parts).equals(Buffer.concat([records, bare]))).toBe(true)
    }),
  )
})

test('a packet that is too long for a handshake is left to TLS, which refuses it', () => {
  const { unwrap } = handshakePackets()
  const long = packet(TYPE.prelogin, Buffer.alloc(100), { length: 5_000 })
  expect(unwrap(long)).toEqual(long)
})
