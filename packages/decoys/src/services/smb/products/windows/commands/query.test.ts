// Claims of [MS-SMB2] and [MS-FSCC] about listings and what is asked about files and volumes, by section.
import { expect, it } from 'vitest'
import { join, u16, zeros } from '../../../../../windows/fields.ts'
import { COMMAND } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import {
  connected,
  namesIn,
  outputOf,
  queryDirectoryBody,
  queryInfoBody,
} from '../../../../../../lab/smb/windows/client.ts'

it('[MS-SMB2] 3.3.5.18: a listing goes on where it stopped, and ends with STATUS_NO_MORE_FILES', () => {
  const client = connected()
  const id = client.open('', { options: 1 })
  const list = (flags = 0, max = 65_536) =>
    client.request(COMMAND.queryDirectory, queryDirectoryBody(id, '*', 37, flags, max))
  expect(namesIn(outputOf(list(2)))).toEqual(['.'])
  expect(namesIn(outputOf(list()))).toEqual(['..', 'readme.txt', 'Reports'])
  expect(list().header.status).toBe(STATUS.noMoreFiles)
  expect(namesIn(outputOf(list(1)))).toEqual(['.', '..', 'readme.txt', 'Reports'])
})

it('[MS-SMB2] 3.3.5.18: a pattern without a match is STATUS_NO_SUCH_FILE', () => {
  const client = connected()
  const id = client.open('', { options: 1 })
  const { header } = client.request(COMMAND.queryDirectory, queryDirectoryBody(id, '*.exe'))
  expect(header.status).toBe(STATUS.noSuchFile)
})

it('[MS-SMB2] 3.3.5.18: a buffer too small for one entry is STATUS_INFO_LENGTH_MISMATCH', () => {
  const client = connected()
  const id = client.open('', { options: 1 })
  const { header } = client.request(COMMAND.queryDirectory, queryDirectoryBody(id, '*', 37, 0, 50))
  expect(header.status).toBe(STATUS.infoLengthMismatch)
})

it.each([1, 2, 3, 12, 37, 38, 60])('[MS-FSCC] 2.4: class %i lists the folder', (infoClass) => {
  const client = connected()
  const id = client.open('Reports', { options: 1 })
  const answer = client.request(COMMAND.queryDirectory, queryDirectoryBody(id, 'B*.xlsx', infoClass))
  expect(answer.header.status).toBe(STATUS.success)
  const listing = outputOf(answer)
  expect(listing.subarray(-32).toString('utf16le')).toBe('Budget 2026.xlsx')
  if (infoClass !== 12) expect(listing.readBigUInt64LE(40)).toBe(20_000n)
})

it('[MS-SMB2] 3.3.5.18: a class that does not exist is STATUS_INVALID_INFO_CLASS', () => {
  const client = connected()
  const id = client.open('', { options: 1 })
  const { header } = client.request(COMMAND.queryDirectory, queryDirectoryBody(id, '*', 99))
  expect(header.status).toBe(STATUS.invalidInfoClass)
})

it.each<[number, number]>([
  [4, 40],
  [5, 24],
  [6, 8],
  [7, 4],
  [8, 4],
  [14, 8],
  [16, 4],
  [17, 4],
  [22, 38],
  [28, 16],
  [34, 56],
  [35, 8],
  [59, 24],
])('[MS-FSCC] 2.4: class %i of a file takes %i bytes', (infoClass, length) => {
  const client = connected()
  const id = client.open('readme.txt')
  const answer = client.request(COMMAND.queryInfo, queryInfoBody(id, 1, infoClass))
  expect([answer.header.status, outputOf(answer).length]).toEqual([STATUS.success, length])
})

it.each<[number, number, number, number]>([
  [9, 0x0311, 0x00120089, STATUS.notSupported],
  [48, 0x0302, 0x00120089, STATUS.notSupported],
  [48, 0x0311, 0x00120089, STATUS.success],
  [99, 0x0311, 0x00120089, STATUS.invalidInfoClass],
  [4, 0x0311, 0x1, STATUS.accessDenied],
  [5, 0x0311, 0x1, STATUS.success],
  [15, 0x0311, 0x00120089, STATUS.noEasOnFile],
])('[MS-SMB2] 3.3.5.20.1: class %i in dialect %i with access %i', (infoClass, dialect, access, status) => {
  const client = connected({ dialects: [dialect] })
  const id = client.open('readme.txt', { access })
  expect(client.request(COMMAND.queryInfo, queryInfoBody(id, 1, infoClass)).header.status).toBe(status)
})

it('[MS-SMB2] 3.3.5.22.1: an oplock that is not broken is not acknowledged', () => {
  const client = connected()
  const id = client.open('readme.txt', { oplock: 9 })
  const acknowledge = (fileId: Buffer): number =>
    client.request(COMMAND.oplockBreak, join(u16(24), zeros(6), fileId)).header.status
  expect([acknowledge(id), acknowledge(zeros(16))]).toEqual([STATUS.invalidDeviceState, STATUS.fileClosed])
})

it('[MS-FSCC] 2.4.2: FileAllInformation ends with the name, and is cut off with STATUS_BUFFER_OVERFLOW', () => {
  const client = connected()
  const id = client.open('Reports\\notes.txt')
  const all = client.request(COMMAND.queryInfo, queryInfoBody(id, 1, 18))
  expect(outputOf(all).subarray(100).toString('utf16le')).toBe('\\Reports\\notes.txt')
  const cut = client.request(COMMAND.queryInfo, queryInfoBody(id, 1, 18, 104))
  expect([cut.header.status, outputOf(cut).length]).toEqual([STATUS.bufferOverflow, 104])
})

it('[MS-SMB2] 3.3.5.20.1: a buffer below the fixed part is STATUS_INFO_LENGTH_MISMATCH', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const { header } = client.request(COMMAND.queryInfo, queryInfoBody(id, 1, 4, 39))
  expect(header.status).toBe(STATUS.infoLengthMismatch)
})

it.each<[number, number]>([
  [1, 26],
  [3, 24],
  [4, 8],
  [5, 20],
  [7, 32],
  [8, 64],
  [11, 28],
])('[MS-FSCC] 2.5: class %i of the volume takes %i bytes', (infoClass, length) => {
  const client = connected()
  const id = client.open('', { options: 1 })
  const answer = client.request(COMMAND.queryInfo, queryInfoBody(id, 2, infoClass))
  expect([answer.header.status, outputOf(answer).length]).toEqual([STATUS.success, length])
})

it('[MS-SMB2] 3.3.5.20.3: a security descriptor that does not fit says its length', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const whole = outputOf(client.request(COMMAND.queryInfo, queryInfoBody(id, 3, 0, 4_096, 7)))
  const small = client.request(COMMAND.queryInfo, queryInfoBody(id, 3, 0, 0, 7))
  expect(small.header.status).toBe(STATUS.bufferTooSmall)
  expect(small.body.readUInt32LE(8)).toBe(whole.length)
})

it('[MS-SMB2] 2.2.2.1: in 3.1.1 the data of an error stands in a context', () => {
  const client = connected({ dialects: [0x0311] })
  const id = client.open('readme.txt')
  const { body } = client.request(COMMAND.queryInfo, queryInfoBody(id, 3, 0, 0, 7))
  expect([body[2], body.readUInt32LE(4), body.readUInt32LE(8), body.length]).toEqual([1, 12, 4, 20])
  const short = client.request(COMMAND.queryInfo, queryInfoBody(id, 2, 3, 4))
  expect([short.header.status, short.body.readUInt32LE(4)]).toEqual([STATUS.infoLengthMismatch, 8])
})

it('[MS-DTYP] 2.4.6: owner, group and DACL stand where the descriptor says', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const bytes = outputOf(client.request(COMMAND.queryInfo, queryInfoBody(id, 3, 0, 4_096, 7)))
  const sidAt = (at: number): string => bytes.toString('hex', at, at + 8 + 4 * (bytes[at + 1] ?? 0))
  expect(sidAt(bytes.readUInt32LE(4))).toBe('01020000000000052000000020020000')
  expect(sidAt(bytes.readUInt32LE(8))).toBe('010100000000000512000000')
  const dacl = bytes.readUInt32LE(16)
  expect([bytes[dacl], bytes.readUInt16LE(dacl + 4)]).toEqual([2, 4])
})

it('[MS-SMB2] 3.3.5.20.3: the SACL takes a privilege that guests lack', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const { header } = client.request(COMMAND.queryInfo, queryInfoBody(id, 3, 0, 4_096, 8))
  expect(header.status).toBe(STATUS.accessDenied)
})
