import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswers } from '../../../../test/probe.ts'
import { differences, replay } from '../../../../test/replay.ts'
import { testContext } from '../../../../test/session-context.ts'
import type { SessionContext, SessionRunner } from '../../../session/session.ts'
import {
  FLAGS,
  framed,
  login,
  NATIVE,
  oldLogin,
  RESPONSE,
  sslRequest,
  USUAL,
} from '../../../../lab/mysql/client.ts'
import { probes } from '../../../../lab/mysql/mariadb/corpus.ts'
import { mask } from '../../../../lab/mysql/mariadb/mask.ts'
import { UNKNOWN_PASSWORD } from './guess.ts'
import { openServer } from '../service.ts'

const BANNER = '5.5.5-10.11.19-MariaDB-0+deb12u1'
const LOCAL = { host: '127.0.0.1', port: 40_000 }
const mariadb = (): SessionRunner => openServer().startSession
/** The judge was asked from the same machine. */
const fromHere = (): SessionRunner => {
  const start = mariadb()
  return (context) => start({ ...context, src: LOCAL })
}

const open = (start = mariadb(), over: Partial<SessionContext> = {}) => {
  const session = start(testContext(over))
  const greeting = session.open().send as Buffer
  const end = greeting.length - NATIVE.length - 2
  const salt = Buffer.concat([greeting.subarray(end - 39, end - 31), greeting.subarray(end - 12, end)])
  return { session, greeting, salt }
}

const sha1 = (...parts: readonly (Buffer | string)[]): Buffer =>
  hash('sha1', Buffer.concat(parts.map((part) => Buffer.from(part))), 'buffer')

/** As a client makes it. */
function nativeResponse(password: string, salt: Buffer): string {
  const once = sha1(password)
  const sum = sha1(salt, sha1(once))
  return Buffer.from(once.map((value, i) => value ^ sum[i]!)).toString('latin1')
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

test('99 of 100 probes are answered as MariaDB 10.11.19 answers them', () => {
  const found = differences(
    probes,
    readAnswers(new URL('../../../../lab/mysql/mariadb/', import.meta.url)),
    fromHere,
    mask,
  )
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(found.length / probes.length, JSON.stringify(found, null, 1)).toBeLessThanOrEqual(0.01)
})

test('a common password is read from the response, and the user is refused as by MariaDB', () => {
  const { session, salt } = open()
  const [reply] = session.receive(
    bytes(framed(login({ user: 'admin', response: nativeResponse('Passw0rd', salt) }))),
  )
  expect(reply).toMatchObject({
    events: [
      {
        logtype: '8001',
        fields: { USERNAME: 'admin', SALT: salt.toString('hex'), PASSWORD: 'Passw0rd' },
      },
    ],
    close: 'close',
  })
  expect(reply!.events![0]!.fields['CLIENT_HASH']).toMatch(/^[0-9a-f]{40}$/)
  expect((reply!.send as Buffer).toString('latin1', 4)).toBe(
    "\xff\x15\x04#28000Access denied for user 'admin'@'203.0.113.9' (using password: YES)",
  )
})

test('another password is said to be none of the common ones, and none at all is empty', () => {
  for (const [password, shown] of [
    ['correct horse battery staple', UNKNOWN_PASSWORD],
    ['', ''],
  ]) {
    const { session, salt } = open()
    const response = password ? nativeResponse(password, salt) : ''
    const [reply] = session.receive(bytes(framed(login({ response }))))
    expect(reply!.events![0]!.fields['PASSWORD']).toBe(shown)
  }
})

test('a client with another method is asked again, and its login is one event', () => {
  const { session, salt } = open()
  const [asked] = session.receive(bytes(framed(login({ plugin: 'caching_sha2_password' }))))
  expect(asked).toMatchObject({ send: bytes(framed(`\xfe${NATIVE}\0${salt.toString('latin1')}\0`, 2)) })
  expect(asked!.events).toBeUndefined()
  const [refused] = session.receive(bytes(framed(nativeResponse('letmein', salt), 3)))
  expect(refused!.events).toMatchObject([{ fields: { USERNAME: 'root', PASSWORD: 'letmein' } }])
  expect(session.closed()).toEqual([])
})

test('a client that leaves when it is asked again is reported at its close', () => {
  const { session } = open()
  session.receive(bytes(framed(login({ user: 'eve', plugin: 'dialog' }))))
  expect(session.closed()).toMatchObject([{ logtype: '8001', fields: { USERNAME: 'eve', CLIENT_HASH: '' } }])
})

test('a client of 3.23 is refused without SQLSTATE, and its user is reported', () => {
  const { session } = open()
  const [reply] = session.receive(bytes(framed(oldLogin({ user: 'legacy' }))))
  expect(reply!.events).toMatchObject([{ fields: { USERNAME: 'legacy', CLIENT_HASH: '4142434445464748' } }])
  expect((reply!.send as Buffer).toString('latin1')).not.toContain('#')
})

test('a request for TLS is answered by a handshake, and the login behind it counts on from its number', () => {
  const { session } = open()
  const [asked] = session.receive(bytes(framed(sslRequest()) + 'hello'))
  expect(asked).toMatchObject({ tls: { profile: { name: 'mariadb-10.11' } } })
  expect(session.takeUnread().toString()).toBe('hello')
  session.secured()
  const [reply] = session.receive(bytes(framed(login({ flags: USUAL | FLAGS.ssl }), 2)))
  expect(reply!.events).toMatchObject([{ logtype: '8001', fields: { USERNAME: 'root' } }])
  expect((reply!.send as Buffer)[3]).toBe(3)
})

const thread = (greeting: Buffer): number => greeting.readUInt32LE(4 + 1 + BANNER.length + 1)

test('two connections have other salts, and numbers that follow each other', () => {
  const start = mariadb()
  const [first, second] = [open(start), open(start)]
  expect(thread(second.greeting)).toBe(thread(first.greeting) + 1)
  expect(second.salt.equals(first.salt)).toBe(false)
  expect(first.salt.toString('latin1')).toMatch(/^[!-~]{20}$/)
})

test('the number of a connection grows by two a day besides, as it does on a server that starts then', () => {
  const start = mariadb()
  const { now } = testContext()
  const numberAfter = (days: number, server = start): number =>
    thread(open(server, { now: () => now() + (days - 3) * 86_400_000 }).greeting)
  const first = numberAfter(0)
  expect(numberAfter(0.001)).toBe(first + 1)
  expect(numberAfter(3)).toBe(first + 6)
  expect(numberAfter(3, mariadb())).toBe(first + 6)
})

test('a packet of a megabyte is read past, and no more than 16 KiB of it are kept', () => {
  const { session } = open()
  const long = bytes(framed(login() + 'x'.repeat(1_000_000)))
  for (let at = 0; at < long.length - 1; at += 65_536)
    expect(
      session
        .receive(long.subarray(at, Math.min(at + 65_536, long.length - 1)))
        .flatMap(({ send }) => send ?? []),
    ).toEqual([])
  const [reply] = session.receive(long.subarray(-1))
  expect((reply!.send as Buffer).toString('latin1')).toContain('Access denied')
})

test('no garbage makes the session throw', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      framed(login()),
      framed(sslRequest()),
      framed(oldLogin()),
      framed(RESPONSE, 3),
      '\x20\0\0\x01',
    ),
    fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)), maxLength: 60 }),
  )
  fc.assert(
    fc.property(fc.array(piece), (send) => void replay({ name: '', send }, mariadb())),
    { numRuns: 500 },
  )
})
