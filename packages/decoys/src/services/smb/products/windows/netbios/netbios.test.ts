// NetBIOS over TCP and UDP: claims of RFC 1002, by section.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testContext } from '../../../../../../test/session-context.ts'
import { sessionRunner } from '../../../../../session/session-runner.ts'
import type { SessionContext } from '../../../../../session/session.ts'
import { join, u16 } from '../../../../../windows/fields.ts'
import { COMMAND, writeHeader } from '../../../protocol/codec/header.ts'
import { smbConfig } from '../config.ts'
import { smbSession } from '../session.ts'
import { messagesOf, negotiateBody } from '../../../../../../lab/smb/windows/client.ts'
import { nameService } from './name-service.ts'
import smb from '../../../service.ts'

const config = smbConfig({ 'smb.netbiosname': 'files', 'smb.workgroup': 'office' })
const encoded = (name: string, fill = ' '): Buffer =>
  Buffer.from(
    [...Buffer.from(name.padEnd(16, fill), 'latin1')].flatMap((byte) => [65 + (byte >> 4), 65 + (byte & 15)]),
  )
const question = (name: string, fill?: string): Buffer =>
  join(
    Buffer.from('12340000000100000000000020', 'hex'),
    encoded(name, fill),
    Buffer.from('0000210001', 'hex'),
  )

/** What one datagram is answered. */
function ask(
  datagram: Buffer,
  service = nameService(config.machine),
  over: Partial<SessionContext> = {},
): Buffer {
  const session = sessionRunner(service)(testContext(over))
  session.open()
  return Buffer.concat(session.receive(datagram).map(({ send = '' }) => Buffer.from(send)))
}

it('4.2.18: a node status names machine, file server and workgroup, and a hardware address', () => {
  const answer = ask(question('*', '\0'))
  expect([answer.readUInt16BE(0), answer[2], answer.readUInt16BE(6)]).toEqual([0x1234, 0x84, 1])
  const content = answer.subarray(12 + 34 + 10)
  expect(answer.readUInt16BE(12 + 34 + 8)).toBe(content.length)
  const names = Array.from({ length: content[0] ?? 0 }, (_, i) => {
    const at = 1 + 18 * i
    return [content.toString('latin1', at, at + 15).trim(), content[at + 15], (content[at + 16] ?? 0) >> 7]
  })
  expect(names).toEqual([
    ['FILES', 0x00, 0],
    ['FILES', 0x20, 0],
    ['OFFICE', 0x00, 1],
  ])
  expect(content.toString('hex', 1 + 18 * 3, 1 + 18 * 3 + 3)).toMatch(/^(00155d|005056)$/)
})

it('4.2.17: the machine answers to its own name, and to no other', () => {
  expect(ask(question('FILES')).length).toBeGreaterThan(0)
  expect(ask(question('OTHER'))).toEqual(Buffer.alloc(0))
})

it('no datagram makes the name service throw, and garbage has no answer', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
      expect(ask(Buffer.from(bytes)).length).toBe(0)
    }),
  )
  const whole = question('*', '\0')
  for (let end = 0; end < whole.length; end += 1) expect(ask(whole.subarray(0, end)).length).toBe(0)
})

const requestFor = (called: string): Buffer =>
  join(
    Buffer.from('8100004420', 'hex'),
    encoded(called),
    Buffer.from('0020', 'hex'),
    encoded('CLIENT'),
    Buffer.from([0]),
  )
const negotiation = join(
  Buffer.from([0, 0, 0, 64 + negotiateBody([0x0202]).length]),
  writeHeader({
    creditCharge: 0,
    status: 0,
    command: COMMAND.negotiate,
    credits: 1,
    flags: 0,
    nextCommand: 0,
    messageId: 0n,
    asyncId: 0n,
    processId: 0,
    treeId: 0,
    sessionId: 0n,
  }),
  negotiateBody([0x0202]),
)

function onNetbios(...chunks: readonly Buffer[]): {
  readonly sent: Buffer
  readonly closed: string | undefined
} {
  const session = sessionRunner(smbSession(config, 'netbios-closed'))(testContext())
  session.open()
  const replies = chunks.flatMap((chunk) => session.receive(chunk))
  return {
    sent: Buffer.concat(replies.map(({ send = '' }) => Buffer.from(send))),
    closed: replies.at(-1)?.close,
  }
}

it.each(['*SMBSERVER', 'FILES'])('4.3.3: a session with %s is opened, and SMB2 goes on in it', (called) => {
  const { sent, closed } = onNetbios(requestFor(called), Buffer.from('85000000', 'hex'), negotiation)
  expect(sent.toString('hex', 0, 4)).toBe('82000000')
  const [message] = messagesOf(sent.subarray(4))
  expect([message?.readUInt32BE(0), message?.subarray(68, 70), closed]).toEqual([
    0xfe534d42,
    u16(0x0202),
    undefined,
  ])
})

it('4.3.4: a session with another name is refused', () => {
  expect(onNetbios(requestFor('OTHER'))).toEqual({ sent: Buffer.from('8300000182', 'hex'), closed: 'end' })
})

it('4.3.4: a message without a session is an unspecified error', () => {
  expect(onNetbios(negotiation)).toEqual({ sent: Buffer.from('830000018f', 'hex'), closed: 'end' })
})

it('the service listens at 445, 139, 137 and 138', () => {
  const listeners = smb
    .listeners({ 'smb.enabled': true })
    .map(({ transport, port }) => `${transport}:${port}`)
  expect(listeners).toEqual(['tcp:445', 'tcp:139', 'udp:137', 'udp:138'])
})
