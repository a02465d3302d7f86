import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswers } from '../../../../../test/probe.ts'
import { differences, replay } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { probes } from '../../../../../lab/ftp/vsftpd/corpus.ts'
import { mask } from '../../../../../lab/ftp/vsftpd/mask.ts'
import { ftpSession } from './session.ts'

const vsftpd = () => ftpSession('(vsFTPd 3.0.3)')
const open = () => {
  const session = vsftpd()(testContext())
  session.open()
  return session
}

test('99 of 100 probes are answered as vsftpd 3.0.3 answers them', () => {
  const found = differences(
    probes,
    readAnswers(new URL('../../../../../lab/ftp/vsftpd/', import.meta.url)),
    vsftpd,
    mask,
  )
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(found.length / probes.length, JSON.stringify(found, null, 1)).toBeLessThanOrEqual(0.01)
})

test('a password raises its event at once, and is refused seconds later', () => {
  const session = open()
  const [userReply, refusal, ...rest] = session.receive(Buffer.from('USER admin\r\nPASS hünter2\r\nNOOP\r\n'))
  expect(userReply!.send).toBe('331 Please specify the password.\r\n')
  expect(refusal).toMatchObject({
    events: [{ logtype: '2000', fields: { USERNAME: 'admin', PASSWORD: 'hünter2' } }],
    send: '530 Login incorrect.\r\n',
  })
  expect(refusal!.delayMs).toBeGreaterThanOrEqual(1_000)
  expect(refusal!.delayMs).toBeLessThanOrEqual(4_000)
  expect(rest).toEqual([])
  expect(session.hasMore).toBe(true)
})

test('a name that no user can have, or a text that is too long, is refused after a second', () => {
  for (const [user, password] of [
    ['a b', 'x'],
    ['-x', 'x'],
    ['bob', 'x'.repeat(129)],
  ]) {
    const [, refusal] = open().receive(Buffer.from(`USER ${user}\r\nPASS ${password}\r\n`))
    expect(refusal).toMatchObject({ send: '530 Login incorrect.\r\n', delayMs: 1_000 })
  }
})

test('an empty name counts as no user', () => {
  const { text } = replay({ name: '', send: ['USER\r\nPASS x\r\n'] }, vsftpd())
  expect(text).toMatch(/503 Login with USER first.\r\n$/)
})

test('the third wrong password closes the connection', () => {
  const { text, closed } = replay({ name: '', send: ['USER a\r\nPASS b\r\n'.repeat(4)] }, vsftpd())
  expect(text.match(/530 Login incorrect/g)).toHaveLength(3)
  expect(closed).toBe(true)
})

test('five minutes without a whole command end in a time-out', () => {
  const session = open()
  expect(session.receive(Buffer.from('NOOP\r\n'))[0]?.wakeMs).toBe(300_000)
  expect(session.receive(Buffer.from('NOO'))).toEqual([])
  expect(session.wake()).toMatchObject({ send: '421 Timeout.\r\n', close: 'end' })
})

test('no garbage makes the session throw', () => {
  const piece = fc.oneof(
    fc.constantFrom('USER ', 'PASS ', 'OPTS ', '\r\n', '\n', '\0', 'ÿ', 'QUIT'),
    fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)), maxLength: 50 }),
  )
  fc.assert(
    fc.property(fc.array(piece), (send) => void replay({ name: '', send }, vsftpd())),
    { numRuns: 500 },
  )
})
