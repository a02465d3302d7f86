// Claims of [MS-RPCE], [MS-SRVS], [MS-WKST], [MS-SAMR] and [MS-LSAT] about the pipes, by section.
import { expect, it } from 'vitest'
import { join, u16, u32, u8, zeros } from '../../../../../windows/fields.ts'
import { COMMAND } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import {
  connected,
  contentOf,
  ioctlBody,
  readBody,
  smbClient,
  writeBody,
} from '../../../../../../lab/smb/windows/client.ts'
import {
  bindPdu,
  openPipe,
  pdu,
  pointerTo,
  requestPdu,
  stringOf,
} from '../../../../../../lab/smb/windows/rpc-client.ts'
import { ndrReader } from '../../../protocol/pipes/ndr.ts'
import { PDU, NDR32 } from '../../../protocol/pipes/pdu.ts'
import { FAULT, uuid } from '../../../protocol/pipes/rpc.ts'

const SRVSVC = ['4b324fc8-1670-01d3-1278-5a47bf6ee188', 3] as const
const WKSSVC = ['6bffd098-a112-3610-9833-46c3f87e345a', 1] as const
const SAMR = ['12345778-1234-abcd-ef00-0123456789ac', 1] as const
const LSARPC = ['12345778-1234-abcd-ef00-0123456789ab', 0] as const

const onIpc = (settings = {}) => connected({ share: 'IPC$', settings })
const bound = (name: string, [id, version]: readonly [string, number], settings = {}) => {
  const client = onIpc(settings)
  const pipe = openPipe(client, name)
  pipe.bind(id, version)
  return { ...pipe, client }
}

it.each([
  ['srvsvc', STATUS.success],
  ['SRVSVC', STATUS.success],
  ['\\srvsvc', STATUS.invalidParameter],
  ['wkssvc', STATUS.success],
  ['samr', STATUS.success],
  ['lsarpc', STATUS.success],
  ['winreg', STATUS.accessDenied],
  ['svcctl', STATUS.accessDenied],
  ['nothing', STATUS.objectNameNotFound],
])('[MS-SMB2] 3.3.5.9: a guest opens the pipe %s', (name, status) => {
  expect(onIpc().create(name, { access: 0x0012019f }).header.status).toBe(status)
})

it('the registry is not opened, and that is an event 5015', () => {
  const client = onIpc()
  client.create('winreg', { access: 0x0012019f })
  expect(client.events.at(-1)).toMatchObject({
    logtype: '5015',
    fields: { USER: 'bob', STATUS: 'STATUS_ACCESS_DENIED' },
  })
})

it.each([
  [true, STATUS.success],
  [false, STATUS.accessDenied],
])('with guests %s, those without a name open srvsvc', (isEnabled, status) => {
  const client = smbClient({ settings: { 'smb.guest.enabled': isEnabled } })
  client.negotiate(0x0210)
  client.login({ user: '' })
  client.connect('IPC$')
  expect(client.create('srvsvc', { access: 0x0012019f }).header.status).toBe(status)
})

it('[MS-RPCE] 3.3.1.5.3: a bind is accepted with NDR, and names the pipe', () => {
  const ack = openPipe(onIpc(), 'srvsvc').bind(...SRVSVC)
  expect([ack[2], ack.readUInt16LE(8)]).toEqual([PDU.bindAck, ack.length])
  expect(ack.toString('latin1', 26, 26 + 12)).toBe('\\PIPE\\srvsvc')
  expect(ack.subarray(-24)).toEqual(join(u16(0), u16(0), Buffer.from(NDR32, 'hex'), u32(2)))
})

it('[MS-RPCE] 3.3.1.5.6: NDR64 alone is refused for its transfer syntax', () => {
  const pipe = openPipe(onIpc(), 'srvsvc')
  const ack = pipe.send(bindPdu(...SRVSVC, uuid('71710533-beba-4937-8319-b5dbef9ccc36')))
  expect([ack.readUInt16LE(ack.length - 24), ack.readUInt16LE(ack.length - 22)]).toEqual([2, 2])
})

it('[MS-RPCE] 2.2.2.14: the negotiation of features is acknowledged without one', () => {
  const pipe = openPipe(onIpc(), 'srvsvc')
  const ack = pipe.send(bindPdu(...SRVSVC, `2c1cb76c12984045${'03'.padEnd(16, '0')}`))
  expect([ack.readUInt16LE(ack.length - 24), ack.readUInt16LE(ack.length - 22)]).toEqual([3, 0])
})

it('C706 12.6.3.1: an interface that is not behind the pipe is refused', () => {
  const ack = openPipe(onIpc(), 'srvsvc').bind(...SAMR)
  expect([ack.readUInt16LE(ack.length - 24), ack.readUInt16LE(ack.length - 22)]).toEqual([2, 1])
})

it('[MS-RPCE] 3.3.1.5.2.1: a bind with a secret is refused for its kind of authentication', () => {
  const nak = openPipe(onIpc(), 'srvsvc').send(pdu(11, zeros(60), 3, 16))
  expect([nak[2], nak.readUInt16LE(16)]).toEqual([PDU.bindNak, 8])
})

it('C706 12.6.4.7: an operation that does not exist is a fault', () => {
  expect(bound('srvsvc', SRVSVC).call(200, zeros(0))).toBe(FAULT.operationRange)
})

it('C706 12.6.4.9: a request without a bind is a fault', () => {
  expect(openPipe(onIpc(), 'srvsvc').call(15, zeros(0))).toBe(FAULT.unknownInterface)
})

it('C706 12.6.3.1: a request in fragments is put together', () => {
  const { send } = bound('srvsvc', SRVSVC)
  const stub = join(pointerTo('FILES'), u32(101))
  send(requestPdu(21, stub.subarray(0, 10), 1))
  const answer = send(requestPdu(21, stub.subarray(10), 2))
  expect(answer[2]).toBe(PDU.response)
  expect(answer.includes(Buffer.from('FILES', 'utf16le'))).toBe(true)
})

it('[MS-SMB2] 3.3.5.15.3: what does not fit into a transceive is read behind it', () => {
  const { send, id, client } = bound('srvsvc', SRVSVC)
  const stub = join(pointerTo('FILES'), u32(101))
  const whole = send(requestPdu(21, stub))
  const cut = client.request(COMMAND.ioctl, ioctlBody(0x0011c017, id, requestPdu(21, stub), 40))
  expect(cut.header.status).toBe(STATUS.bufferOverflow)
  const rest = client.request(COMMAND.read, readBody(id, 0, 4_096))
  expect(rest.header.status).toBe(STATUS.success)
  expect(contentOf(rest)).toEqual(whole.subarray(40))
})

it('[MS-SMB2] 3.3.5.12: reading an empty pipe is pending', () => {
  const { id, client } = bound('srvsvc', SRVSVC)
  expect(client.request(COMMAND.read, readBody(id, 0, 100)).header.status).toBe(STATUS.pending)
})

it('bytes that are no RPC break the pipe', () => {
  const { id, client } = bound('srvsvc', SRVSVC)
  const { header } = client.request(COMMAND.write, writeBody(id, Buffer.from('GET / HTTP/1.1\r\n\r\n')))
  expect(header.status).toBe(STATUS.fileClosed)
  expect(client.request(COMMAND.read, readBody(id, 0, 100)).header.status).toBe(STATUS.fileClosed)
})

it('a client that never reads its answers loses the pipe', () => {
  const { id, client } = bound('srvsvc', SRVSVC)
  const many = join(...Array.from({ length: 200 }, () => requestPdu(21, join(pointerTo('FILES'), u32(101)))))
  const write = (): number => client.request(COMMAND.write, writeBody(id, many)).header.status
  const statuses = Array.from({ length: 40 }, write)
  expect(statuses[0]).toBe(STATUS.success)
  expect(statuses.at(-1)).toBe(STATUS.fileClosed)
})

it('a connection has 8 pipes open at most', () => {
  const client = onIpc()
  const statuses = Array.from(
    { length: 9 },
    () => client.create('srvsvc', { access: 0x0012019f }).header.status,
  )
  expect([statuses[7], statuses[8]]).toEqual([STATUS.success, STATUS.pipeNotAvailable])
})

const shareEnum = (level: number): Buffer =>
  join(pointerTo('FILES'), u32(level), u32(level), u32(0x20004), u32(0), u32(0), u32(0xffffffff), u32(0))

it('[MS-SRVS] 3.1.4.8: level 1 lists the shares with type and comment', () => {
  const { call } = bound('srvsvc', SRVSVC, { 'smb.sharename': 'Files', 'smb.sharecomment': 'Of all' })
  const from = ndrReader(call(15, shareEnum(1)) as Buffer)
  expect([from.u32(), from.u32(), from.pointer(), from.u32(), from.pointer(), from.count()]).toEqual([
    1,
    1,
    true,
    4,
    true,
    4,
  ])
  const types = Array.from({ length: 4 }, () => (from.pointer(), [from.u32(), from.pointer()][0]))
  expect(types).toEqual([0x80000000, 0x80000000, 0x80000003, 0])
  const texts = Array.from({ length: 8 }, () => from.string())
  expect(texts.slice(6)).toEqual(['Files', 'Of all'])
  expect([from.u32(), from.u32(), from.u32()]).toEqual([4, 0, 0])
  expect(from.isIntact).toBe(true)
})

it.each([
  [2, 5],
  [502, 5],
  [503, 5],
  [77, 124],
])('[MS-SRVS] 3.1.4.8: level %i is refused with error %i', (level, error) => {
  const answer = bound('srvsvc', SRVSVC).call(15, shareEnum(level)) as Buffer
  expect(answer.readUInt32LE(answer.length - 4)).toBe(error)
})

it.each([
  ['Documents', 1, 0],
  ['documents', 501, 0],
  ['Documents', 502, 5],
  ['nothing', 1, 2_310],
])('[MS-SRVS] 3.1.4.10: the share %s at level %i', (name, level, error) => {
  const stub = join(pointerTo('FILES'), stringOf(name), u32(level))
  const answer = bound('srvsvc', SRVSVC).call(16, stub) as Buffer
  expect(answer.readUInt32LE(answer.length - 4)).toBe(error)
})

it('[MS-SRVS] 3.1.4.17: level 101 tells name, version, type and comment; level 102 is refused', () => {
  const { call } = bound('srvsvc', SRVSVC, { 'smb.serverstring': 'Second floor', 'smb.mode': 'windows-10' })
  const from = ndrReader(call(21, join(pointerTo('FILES'), u32(101))) as Buffer)
  expect([from.u32(), from.pointer(), from.u32(), from.pointer()]).toEqual([101, true, 500, true])
  expect([from.u32(), from.u32(), from.u32(), from.pointer()]).toEqual([10, 0, 0x1003, true])
  expect([from.string(), from.string(), from.u32()]).toEqual(['FILES', 'Second floor', 0])
  const refused = call(21, join(pointerTo('FILES'), u32(102))) as Buffer
  expect(refused.readUInt32LE(refused.length - 4)).toBe(5)
})

it('[MS-SRVS] 3.1.4.21: the time of day is that of the Bird, in UTC', () => {
  const answer = bound('srvsvc', SRVSVC).call(28, pointerTo('FILES')) as Buffer
  const fields = Array.from({ length: 12 }, (_, i) => answer.readUInt32LE(4 + 4 * i))
  expect(fields[0]).toBe(Date.UTC(2026, 10, 20, 9, 39, 2) / 1_000)
  expect([...fields.slice(2, 5), ...fields.slice(8)]).toEqual([9, 39, 2, 20, 11, 2_026, 5])
})

it('[MS-SRVS] 3.1.4.5: sessions, connections and open files are for administrators', () => {
  const { call } = bound('srvsvc', SRVSVC)
  for (const opnum of [8, 9, 12]) {
    const answer = call(opnum, zeros(0)) as Buffer
    expect(answer.readUInt32LE(answer.length - 4)).toBe(5)
  }
})

it('[MS-WKST] 3.2.4.1: level 100 tells computer and workgroup; level 102 is refused', () => {
  const { call } = bound('wkssvc', WKSSVC, { 'smb.workgroup': 'OFFICE' })
  const from = ndrReader(call(0, join(pointerTo('FILES'), u32(100))) as Buffer)
  expect([
    from.u32(),
    from.pointer(),
    from.u32(),
    from.pointer(),
    from.pointer(),
    from.u32(),
    from.u32(),
  ]).toEqual([100, true, 500, true, true, 10, 0])
  expect([from.string(), from.string(), from.u32()]).toEqual(['FILES', 'OFFICE', 0])
  const refused = call(0, join(pointerTo('FILES'), u32(102))) as Buffer
  expect(refused.readUInt32LE(refused.length - 4)).toBe(5)
})

it.each([
  [0, 'SamrConnect'],
  [57, 'SamrConnect2'],
  [62, 'SamrConnect4'],
  [64, 'SamrConnect5'],
])('[MS-SAMR] 3.1.5.1: connection %i to the accounts is denied, and an event 5013', (opnum, name) => {
  const { call, client } = bound('samr', SAMR)
  const answer = call(opnum, zeros(8)) as Buffer
  expect(answer.readUInt32LE(answer.length - 4)).toBe(STATUS.accessDenied)
  expect(client.events.at(-1)).toMatchObject({
    logtype: '5013',
    fields: { AUDITACTION: name, STATUS: 'STATUS_ACCESS_DENIED', USER: 'bob' },
  })
})

it('[MS-SAMR] 3.1.5.13: what takes a handle is a fault', () => {
  expect(bound('samr', SAMR).call(13, zeros(40))).toBe(FAULT.contextMismatch)
})

/** A policy handle, and the calls on it. */
function policy() {
  const { call, client } = bound('lsarpc', LSARPC)
  const opened = call(44, zeros(40)) as Buffer
  expect(opened.readUInt32LE(20)).toBe(STATUS.success)
  return { call, client, handle: opened.subarray(0, 20) }
}

it('[MS-LSAD] 3.1.4.9.4: a handle is used until it is closed', () => {
  const { call, handle } = policy()
  expect((call(0, handle) as Buffer).subarray(0, 20)).toEqual(zeros(20))
  expect(call(0, handle)).toBe(FAULT.contextMismatch)
  expect(call(46, join(Buffer.alloc(20, 1), u16(5)))).toBe(FAULT.contextMismatch)
})

/** The machine's SID, as the policy tells it. */
function machineSid(call: (opnum: number, stub: Buffer) => Buffer | number, handle: Buffer): number[] {
  const from = ndrReader(call(46, join(handle, u16(5))) as Buffer)
  from.pointer()
  from.u16()
  expect([from.unicodeString(), from.pointer()]).toEqual([true, true])
  expect(from.unicodeBuffer()).toBe('FILES')
  expect(from.u32()).toBe(4)
  from.bytes(8)
  return Array.from({ length: 4 }, () => from.u32())
}

it('[MS-LSAD] 3.1.4.4.4: the account domain is the machine itself', () => {
  const { call, handle } = policy()
  expect(machineSid(call, handle)[0]).toBe(21)
})

const sidBytes = (...parts: readonly number[]): Buffer =>
  join(u32(parts.length), u8(1), u8(parts.length), zeros(5), u8(5), ...parts.map(u32))
const lookup = (handle: Buffer, ...sids: readonly Buffer[]): Buffer =>
  join(
    handle,
    u32(sids.length),
    u32(0x20000),
    u32(sids.length),
    ...sids.map((_, i) => u32(0x20004 + 4 * i)),
    ...sids,
    u32(0),
    u32(0),
    u32(1),
    u32(0),
  )

it('[MS-LSAT] 3.1.4.11: SIDs of the machine have the names of its users, and that is an event 5013', () => {
  const { call, handle, client } = policy()
  const sid = machineSid(call, handle)
  const answer = call(
    15,
    lookup(handle, sidBytes(...sid, 500), sidBytes(...sid, 4_000), sidBytes(32, 544)),
  ) as Buffer
  expect(answer.includes(Buffer.from('Administrator', 'utf16le'))).toBe(true)
  expect(answer.includes(Buffer.from('BUILTIN', 'utf16le'))).toBe(true)
  expect(answer.includes(Buffer.from('00000FA0', 'utf16le'))).toBe(true)
  expect([answer.readUInt32LE(answer.length - 8), answer.readUInt32LE(answer.length - 4)]).toEqual([2, 0x107])
  expect(client.events.at(-1)).toMatchObject({ logtype: '5013', fields: { AUDITACTION: 'LsarLookupSids' } })
})

it('[MS-LSAT] 3.1.4.11: if no SID is known, the status is STATUS_NONE_MAPPED', () => {
  const { call, handle } = policy()
  const answer = call(57, lookup(handle, sidBytes(21, 1, 2, 3, 500))) as Buffer
  expect(answer.readUInt32LE(answer.length - 4)).toBe(0xc0000073)
})

it('[MS-LSAT] 3.1.4.8: a name has the relative id of its user', () => {
  const { call, handle } = policy()
  const text = Buffer.from('administrator', 'utf16le')
  const stub = join(
    handle,
    u32(1),
    u32(1),
    u16(text.length),
    u16(text.length),
    u32(0x20000),
    u32(13),
    u32(0),
    u32(13),
    text,
    u16(0),
    zeros(16),
  )
  const answer = call(14, stub) as Buffer
  expect(answer.readUInt32LE(answer.length - 4)).toBe(STATUS.success)
  expect(answer.includes(u32(500))).toBe(true)
})

it('[MS-LSAD] 3.1.4.5.2: accounts and privileges are for administrators', () => {
  const { call, handle } = policy()
  for (const opnum of [2, 11, 13]) {
    const answer = call(opnum, handle) as Buffer
    expect(answer.readUInt32LE(answer.length - 4)).toBe(STATUS.accessDenied)
  }
})

it('stubs that are cut off, or say more than they hold, are faults', () => {
  const { call } = bound('srvsvc', SRVSVC)
  for (const opnum of [15, 16, 21]) expect(call(opnum, join(u32(1), u32(0xffffffff)))).toBe(FAULT.badStub)
  const { call: lsa, handle } = policy()
  expect(lsa(15, join(handle, u32(5_000), u32(1), u32(5_000)))).toBe(FAULT.badStub)
  expect(lsa(15, join(handle, u32(2), u32(1), u32(2), u32(1), u32(1), u32(200)))).toBe(FAULT.badStub)
})

it('pipes of a connection hold 64 KiB in all: one that takes more is closed, the others go on', () => {
  const client = onIpc()
  const part = requestPdu(15, Buffer.alloc(4_200), 0)
  const parts = join(requestPdu(15, Buffer.alloc(4_200), 1), ...Array.from({ length: 13 }, () => part))
  const statuses = Array.from({ length: 6 }, () => {
    const { id } = openPipe(client, 'srvsvc')
    return client.request(COMMAND.write, writeBody(id, parts)).header.status
  })
  expect(statuses).toEqual([STATUS.success, ...Array<number>(5).fill(STATUS.fileClosed)])
  expect(openPipe(client, 'srvsvc').bind(...SRVSVC)[2]).toBe(PDU.bindAck)
})
