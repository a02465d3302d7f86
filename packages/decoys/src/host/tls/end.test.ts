// How servers end TLS: their close_notify, and what they leave unread.
import { expect, test } from 'vitest'
import { testTls } from '../../../test/tls-lines.ts'
import { leavesUnread, sendsNotify } from './end.ts'

const profile = testTls.profile
const OPENSSL = { ...profile, ends: { leavesUnread: true } } as const

test('close_notify goes out, unless the server leaves it out', () => {
  const ends = [undefined, 'notified', 'cut'] as const
  const sent = (withoutNotify?: 'ended' | 'uncut') =>
    ends.map((end) => sendsNotify({ ...profile, ...(withoutNotify && { ends: { withoutNotify } }) }, end))
  expect(sent()).toEqual([true, true, true])
  expect(sent('uncut')).toEqual([false, false, true])
  expect(sent('ended')).toEqual([true, false, false])
})

const record = (type: number, length: number, minor = 3): string =>
  Buffer.from([type, 3, minor, length >> 8, length & 0xff, ...Array<number>(length).fill(7)]).toString('hex')
const text = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('hex')

test.each([
  ['no record', 'TLSv1.2', text('GET / HTTP/1.0\r\n\r\n'), true],
  ['no more than a header', 'TLSv1.2', text('GET /'), false],
  ['a record of another version', 'TLSv1.2', record(22, 30, 1), true],
  ['one that is too long', 'TLSv1.2', '170303ffff00', true],
  ['one that does not decrypt', 'TLSv1.2', record(23, 60), false],
  ['one that does not decrypt, in TLS 1.0', 'TLSv1', record(23, 60, 1), false],
  ['an alert in clear', 'TLSv1.2', record(21, 2), false],
  ['an alert in clear, in TLS 1.3', 'TLSv1.3', record(21, 2), true],
  ['empty records', 'TLSv1.2', record(23, 0).repeat(3), true],
  ['nothing', 'TLSv1.2', '', false],
])('of %s (%s) something is left unread: %4$s', (_, version, hex, isLeft) => {
  const bytes = Buffer.from(hex, 'hex')
  expect(leavesUnread(OPENSSL, bytes, version)).toBe(isLeft)
  expect(leavesUnread(profile, bytes, version)).toBe(false)
})
