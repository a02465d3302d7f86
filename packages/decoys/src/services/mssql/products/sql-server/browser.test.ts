// The browser service: claims of [MC-SQLR], by section.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testContext } from '../../../../../test/session-context.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { SessionContext } from '../../../../session/session.ts'
import { browserSession } from './browser.ts'

const FACTS = { computer: () => 'DB-7', version: '15.0.2000.5', port: 1_433 }
const TEXT = 'ServerName;DB-7;InstanceName;MSSQLSERVER;IsClustered;No;Version;15.0.2000.5;tcp;1433;;'

function ask(
  datagram: Buffer | string,
  browser = browserSession(FACTS),
  over: Partial<SessionContext> = {},
): Buffer {
  const session = sessionRunner(browser)(testContext(over))
  session.open()
  return Buffer.concat(session.receive(Buffer.from(datagram)).map(({ send = '' }) => Buffer.from(send)))
}

test.each([
  ['2.2.1: all instances of the network', '\x02'],
  ['2.2.2: all instances of the machine', '\x03'],
  ['2.2.3: the instance by its name', '\x04MSSQLSERVER\0'],
  ['2.2.3: the name in small letters, without its NUL', '\x04mssqlserver'],
])('%s', (_, question) => {
  const answer = ask(question)
  expect([answer[0], answer.readUInt16LE(1), answer.toString('latin1', 3)]).toEqual([5, TEXT.length, TEXT])
})

test.each([
  ['2.2.3: another instance', '\x04SQLEXPRESS\0'],
  ['2.2.3: a name of 33 bytes', `\x04${'M'.repeat(33)}\0`],
  ['2.2.4: the connection of administrators, which is not open to others', '\x0f\x01MSSQLSERVER\0'],
  ['2.2.2: more than one byte', '\x03\x03'],
  ['3.2.5: what is no request', '\x09'],
])('%s has no answer', (_, question) => {
  expect(ask(question)).toHaveLength(0)
})

test('2.2.5: the answer to one instance has at most 1,024 bytes', () => {
  const browser = browserSession({ ...FACTS, computer: () => 'D'.repeat(15), port: 65_535 })
  expect(ask('\x04MSSQLSERVER\0', browser).length).toBeLessThan(200)
})

test('no datagram makes the browser throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 2, maxLength: 80 }), (bytes) => {
      expect(ask(Buffer.from(bytes)).length).toBe(0)
    }),
  )
})
