// Claims of [MS-SMB2] and [MS-FSA] about shares and files, by section.
import { expect, it } from 'vitest'
import { join, u16, u32, zeros } from '../../../../../windows/fields.ts'
import { fromFileTime } from '../../../../../windows/filetime.ts'
import { COMMAND } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import {
  closeBody,
  connected,
  contentOf,
  createBody,
  readBody,
  smbClient,
  writeBody,
  type CreateWishes,
} from '../../../../../../lab/smb/windows/client.ts'

const READ = 0x00120089
const statusOf = (name: string, wanted?: CreateWishes): number =>
  connected().create(name, wanted).header.status

it('[MS-SMB2] 3.3.5.7: the share is a disk that guests may read', () => {
  const client = smbClient()
  client.negotiate(0x0311)
  client.login({ user: 'bob', ntHash: Buffer.alloc(16, 7) })
  const { body } = client.connect('documents')
  expect([body[2], body.readUInt32LE(12)]).toEqual([1, 0x001200a9])
})

it.each([
  ['IPC$', STATUS.success],
  ['C$', STATUS.accessDenied],
  ['admin$', STATUS.accessDenied],
  ['secret', STATUS.badNetworkName],
])('[MS-SMB2] 3.3.5.7: connecting to %s', (share, status) => {
  const client = connected()
  expect(client.connect(share).header.status).toBe(status)
  expect(client.events.at(-1)).toMatchObject({
    logtype: '5014',
    fields: { USER: 'bob', SHARENAME: share, AUDITACTION: 'connect' },
  })
})

it('[MS-SMB2] 3.3.5.7: those without a name may connect to IPC$ alone', () => {
  const client = smbClient()
  client.negotiate(0x0210)
  client.login({ user: '' })
  expect(client.connect('IPC$').header.status).toBe(STATUS.success)
  expect(client.connect().header.status).toBe(STATUS.accessDenied)
})

it('[MS-SMB2] 3.3.5.8: behind TREE_DISCONNECT the tree is STATUS_NETWORK_NAME_DELETED', () => {
  const client = connected()
  expect(client.request(COMMAND.treeDisconnect, join(u16(4), u16(0))).header.status).toBe(STATUS.success)
  expect(client.create('readme.txt').header.status).toBe(STATUS.networkNameDeleted)
})

it('[MS-SMB2] 3.3.5.9: opening answers size, dates and attributes', () => {
  const { header, body } = connected().create('README.TXT')
  expect(header.status).toBe(STATUS.success)
  expect(body.readBigUInt64LE(48)).toBe(100_000n)
  expect(fromFileTime(body.readBigUInt64LE(24))).toBe(Date.UTC(2026, 0, 2))
  expect(body.readUInt32LE(56)).toBe(0x20)
})

it.each<[string, CreateWishes, number]>([
  ['nothing.txt', {}, STATUS.objectNameNotFound],
  ['nowhere\\readme.txt', {}, STATUS.objectPathNotFound],
  ['readme.txt\\x', {}, STATUS.objectPathNotFound],
  ['\\readme.txt', {}, STATUS.invalidParameter],
  ['read*.txt', {}, STATUS.objectNameInvalid],
  ['..\\..\\Windows\\win.ini', {}, STATUS.objectNameInvalid],
  ['Reports\\.\\notes.txt', {}, STATUS.objectNameInvalid],
  ['Reports\\', {}, STATUS.success],
  ['readme.txt:secret', {}, STATUS.objectNameNotFound],
  ['readme.txt::$DATA', {}, STATUS.success],
  ['readme.txt', { options: 1 }, STATUS.notADirectory],
  ['Reports', { options: 0x40 }, STATUS.fileIsADirectory],
  ['readme.txt', { disposition: 2 }, STATUS.objectNameCollision],
  ['readme.txt', { disposition: 5 }, STATUS.accessDenied],
  ['new.txt', { disposition: 2, access: 0x40000000 }, STATUS.accessDenied],
  ['new.txt', { disposition: 3 }, STATUS.accessDenied],
  ['readme.txt', { access: 0x10000 }, STATUS.accessDenied],
  ['readme.txt', { access: 0x40000000 }, STATUS.accessDenied],
  ['readme.txt', { access: READ, options: 0x1000 }, STATUS.invalidParameter],
  ['readme.txt', { access: READ + 0x10000, options: 0x1000 }, STATUS.accessDenied],
  ['Reports', { options: 0x41 }, STATUS.invalidParameter],
  ['readme.txt', { options: 0x2000 }, STATUS.notSupported],
  ['readme.txt', { access: 0x01000000 }, STATUS.privilegeNotHeld],
  ['readme.txt', { access: 0 }, STATUS.invalidParameter],
  ['readme.txt', { disposition: 6 }, STATUS.invalidParameter],
  ['readme.txt', { access: 0x02000000 }, STATUS.success],
  ['', { options: 1 }, STATUS.success],
])('[MS-FSA] 2.1.5.1: opening %j with %j', (name, wanted, status) => {
  expect(statusOf(name, wanted)).toBe(status)
})

it('[MS-SMB2] 2.2.14.2.5: MxAc answers the rights of a reader', () => {
  const contexts = join(u32(0), u16(16), u16(4), u16(0), u16(24), u32(0), Buffer.from('MxAc'), zeros(4))
  const { body } = connected().create('readme.txt', { contexts })
  const at = body.readUInt32LE(80) - 64
  expect(body.toString('latin1', at + 16, at + 20)).toBe('MxAc')
  expect([body.readUInt32LE(at + 24), body.readUInt32LE(at + 28)]).toEqual([0, 0x001200a9])
})

it('[MS-SMB2] 3.3.5.9: an oplock is granted as asked for, on a folder none', () => {
  const client = connected()
  for (const oplock of [1, 8, 9]) expect(client.create('readme.txt', { oplock }).body[2]).toBe(oplock)
  expect(client.create('Reports', { oplock: 9, options: 1 }).body[2]).toBe(0)
})

it('[MS-SMB2] 3.3.5.12: reading gives the same bytes, whatever the parts', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const read = (offset: number, length: number): Buffer =>
    contentOf(client.request(COMMAND.read, readBody(id, offset, length)))
  const whole = Buffer.concat([read(0, 65_536), read(65_536, 65_536)])
  expect(whole.length).toBe(100_000)
  expect(read(70_001, 999)).toEqual(whole.subarray(70_001, 71_000))
})

it.each<[number | bigint, number, number]>([
  [100_000, 1, STATUS.endOfFile],
  [0, 0x0fffffff, STATUS.invalidParameter],
  [2n ** 63n - 1n, 10, STATUS.invalidParameter],
  [99_999, 10, STATUS.success],
])('[MS-SMB2] 3.3.5.12: reading at %s, %i bytes', (offset, length, status) => {
  const client = connected()
  const id = client.open('readme.txt')
  expect(client.request(COMMAND.read, readBody(id, offset, length)).header.status).toBe(status)
})

it('[MS-SMB2] 3.3.5.12: without the right to read data a read is STATUS_ACCESS_DENIED', () => {
  const client = connected()
  const id = client.open('readme.txt', { access: 0x80 })
  expect(client.request(COMMAND.read, readBody(id, 0, 10)).header.status).toBe(STATUS.accessDenied)
})

it('[MS-SMB2] 3.3.5.13: writing is STATUS_ACCESS_DENIED, and an event', () => {
  const client = connected()
  const id = client.open('readme.txt')
  expect(client.request(COMMAND.write, writeBody(id, Buffer.from('x'))).header.status).toBe(
    STATUS.accessDenied,
  )
  expect(client.events.at(-1)?.fields).toMatchObject({
    FILENAME: 'readme.txt',
    AUDITACTION: 'write',
    MODE: 'w',
  })
})

it('[MS-SMB2] 3.3.5.10: a closed file is STATUS_FILE_CLOSED; closing answers its attributes if asked', () => {
  const client = connected()
  const id = client.open('readme.txt')
  expect(client.request(COMMAND.close, closeBody(id, 1)).body.readBigUInt64LE(48)).toBe(100_000n)
  expect(client.request(COMMAND.close, closeBody(id)).header.status).toBe(STATUS.fileClosed)
  expect(client.request(COMMAND.read, readBody(id, 0, 1)).header.status).toBe(STATUS.fileClosed)
})

it('[MS-SMB2] 3.3.5.11: a file that is open for reading cannot be flushed', () => {
  const client = connected()
  const id = client.open('readme.txt')
  expect(client.request(COMMAND.flush, join(u16(24), zeros(6), id)).header.status).toBe(STATUS.accessDenied)
})

it('[MS-SMB2] 3.3.5.14: a lock is granted and released once', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const lock = (flags: number): number =>
    client.request(
      COMMAND.lock,
      join(u16(48), u16(1), u32(0), id, zeros(8), u32(10), u32(0), u32(flags), u32(0)),
    ).header.status
  expect([lock(0x11), lock(4), lock(4)]).toEqual([STATUS.success, STATUS.success, STATUS.rangeNotLocked])
})

it('[MS-SMB2] 3.3.5.21: SET_INFO is STATUS_ACCESS_DENIED', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const body = join(u16(33), Buffer.from([1, 4]), u32(40), u16(96), u16(0), u32(0), id, zeros(40))
  expect(client.request(COMMAND.setInfo, body).header.status).toBe(STATUS.accessDenied)
})

it('opening and reading a file raise 5000, once each, with user, file and size', () => {
  const client = connected()
  const before = client.events.length
  const id = client.open('Reports\\notes.txt')
  client.request(COMMAND.read, readBody(id, 100, 50))
  client.request(COMMAND.read, readBody(id, 150, 50))
  const touches = client.events.slice(before)
  expect(touches.map(({ logtype }) => logtype)).toEqual(['5000', '5000'])
  const common = {
    USER: 'bob',
    SHARENAME: 'Documents',
    FILENAME: 'Reports/notes.txt',
    STATUS: 'STATUS_SUCCESS',
  }
  expect(touches[0]?.fields).toMatchObject({
    ...common,
    AUDITACTION: 'open',
    MODE: 'r',
    OFFSET: 0,
    SIZE: 500,
  })
  expect(touches[1]?.fields).toMatchObject({
    ...common,
    AUDITACTION: 'read',
    MODE: 'r',
    OFFSET: 100,
    SIZE: 50,
  })
})

it('looking at names and attributes opens no file', () => {
  const client = connected()
  const before = client.events.length
  client.open('readme.txt', { access: 0x80 })
  client.open('Reports', { options: 1 })
  expect(client.events.length).toBe(before)
})

it('what is refused is an event with its status: a new file, a deletion', () => {
  const client = connected()
  client.request(COMMAND.create, createBody('ransom.txt', { disposition: 2, access: 0x40000000 }))
  client.request(COMMAND.create, createBody('readme.txt', { access: 0x10000 }))
  expect(
    client.events
      .slice(-2)
      .map(({ fields }) => [fields['FILENAME'], fields['AUDITACTION'], fields['STATUS']]),
  ).toEqual([
    ['ransom.txt', 'create', 'STATUS_ACCESS_DENIED'],
    ['readme.txt', 'delete', 'STATUS_ACCESS_DENIED'],
  ])
})

it('a connection keeps 64 files open, and 32 trees', () => {
  const client = connected()
  const opens = Array.from({ length: 65 }, () => client.create('readme.txt').header.status)
  expect([opens[63], opens[64]]).toEqual([STATUS.success, STATUS.tooManyOpenedFiles])
  const trees = Array.from({ length: 32 }, () => client.connect().header.status)
  expect([trees[30], trees[31]]).toEqual([STATUS.success, STATUS.insufficientResources])
})
