// What the codecs make of bytes: published vectors, round trips, and garbage.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { splitCompound } from './compound.ts'
import { readCreate } from './create.ts'
import { aligned, join, part, reader, textOf, u16, u32, u64, u8, utf16 } from '../../../../windows/fields.ts'
import { readIoctl, readQueryDirectory, readRead, readWrite } from './file-requests.ts'
import { fileTime, fromFileTime } from '../../../../windows/filetime.ts'
import { decodeFrame, encodeFrame, MAX_MESSAGE_BYTES } from './frame.ts'
import { FLAG, readHeader, writeHeader, type Header } from './header.ts'
import { readNegotiate, smb1Dialects } from './negotiate.ts'
import { readSessionSetup } from './session-setup.ts'
import { readTreeConnect } from './tree-connect.ts'

const number = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const header = fc
  .record({
    creditCharge: fc.nat(0xffff),
    status: fc.nat(0xffffffff),
    command: fc.nat(18),
    credits: fc.nat(0xffff),
    flags: fc.constantFrom(0, FLAG.related, FLAG.signed, FLAG.response),
    nextCommand: fc.constant(0),
    messageId: number(64),
    asyncId: fc.constant(0n),
    processId: fc.nat(0xffffffff),
    treeId: fc.nat(0xffffffff),
    sessionId: number(64),
  })
  .map((value): Header => value)

it('[MS-SMB2] 2.2.1.2: a header is read as it was written', () => {
  fc.assert(fc.property(header, (value) => void expect(readHeader(writeHeader(value))).toEqual(value)))
})

it('[MS-SMB2] 2.2.1.1: with the async flag there is an async id in place of the tree', () => {
  const written = { flags: FLAG.async, asyncId: 77n, treeId: 0, processId: 0 }
  fc.assert(
    fc.property(header, (value) => {
      const async = { ...value, ...written }
      expect(readHeader(writeHeader(async))).toEqual(async)
    }),
  )
})

it('numbers are read as they were written, in their order', () => {
  fc.assert(
    fc.property(fc.nat(255), fc.nat(0xffff), fc.nat(0xffffffff), number(64), (a, b, c, d) => {
      const fields = reader(join(u8(a), u16(b), u32(c), u64(d)))
      expect([fields.u8(), fields.u16(), fields.u32(), fields.u64()]).toEqual([a, b, c, d])
      expect([fields.isIntact, fields.u8(), fields.isIntact]).toEqual([true, 0, false])
    }),
  )
})

it('text survives UTF-16, but for half a surrogate', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }),
      (text) => void expect(textOf(utf16(text))).toBe(text.toWellFormed()),
    ),
  )
  expect(textOf(Buffer.from('00d8', 'hex'))).toBe('\ufffd')
})

it('a part outside of the message is none', () => {
  expect(part(Buffer.alloc(10), 5, 6)).toBeUndefined()
  expect(part(Buffer.alloc(10), 5, 5)?.length).toBe(5)
  expect(part(Buffer.alloc(10), 0xffffffff, 0)?.length).toBe(0)
  expect(aligned(Buffer.alloc(9), 8).length).toBe(16)
})

it('[MS-DTYP] 2.3.3: a FILETIME counts from 1601', () => {
  expect(fileTime(Date.UTC(1601, 0, 1))).toBe(0n)
  expect(fileTime(Date.UTC(2009, 6, 25, 23, 0, 0))).toBe(128_930_364_000_000_000n)
  expect(fromFileTime(fileTime(1_700_000_000_123))).toBe(1_700_000_000_123)
})

const message = (length: number): Buffer => join(writeHeader(HEADER), Buffer.alloc(length - 64))
const HEADER: Header = {
  creditCharge: 0,
  status: 0,
  command: 13,
  credits: 0,
  flags: 0,
  nextCommand: 0,
  messageId: 0n,
  asyncId: 0n,
  processId: 0,
  treeId: 0,
  sessionId: 0n,
}

it('[MS-SMB2] 2.1: a frame is whole when its length says so, however it is cut', () => {
  const bytes = encodeFrame(message(100))
  for (let end = 0; end < bytes.length; end += 1) {
    const decoded = decodeFrame(bytes.subarray(0, end), 0)
    expect(decoded && 'frame' in decoded).toBeFalsy()
  }
  expect(decodeFrame(join(bytes, u8(1)), 0)).toMatchObject({ frame: { kind: 'smb2' }, length: bytes.length })
})

it.each([
  ['of another type', Buffer.from('81000044', 'hex')],
  ['without content', Buffer.from('00000000', 'hex')],
  ['of 16 MiB', Buffer.from('00ffffff', 'hex')],
  ['of text', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
])('a frame %s is unreadable', (_, bytes) => {
  expect(decodeFrame(join(bytes, Buffer.alloc(200)), 0)).toMatchObject({ frame: { kind: 'unreadable' } })
})

it('only a single write may be longer than what is buffered', () => {
  const long = (command: number, nextCommand = 0): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(MAX_MESSAGE_BYTES + 1)
    return join(length, writeHeader({ ...HEADER, command, nextCommand }), Buffer.alloc(48))
  }
  expect(decodeFrame(long(9), 0)).toMatchObject({
    frame: { kind: 'long-write', rest: MAX_MESSAGE_BYTES + 1 - 112 },
  })
  expect(decodeFrame(long(9, 112), 0)).toMatchObject({ frame: { kind: 'unreadable' } })
  expect(decodeFrame(long(11), 0)).toMatchObject({ frame: { kind: 'unreadable' } })
})

it('no bytes make a codec throw', () => {
  const readers = [
    readHeader,
    readNegotiate,
    readSessionSetup,
    readTreeConnect,
    readCreate,
    readRead,
    readWrite,
    readIoctl,
    readQueryDirectory,
    smb1Dialects,
    (bytes: Buffer) => splitCompound(bytes, 8),
    (bytes: Buffer) => decodeFrame(bytes, 0),
  ]
  const body = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ minLength: 60, maxLength: 130 }))
  fc.assert(
    fc.property(header, body, fc.boolean(), (value, bytes, isHeaded) => {
      const garbage = Buffer.from(bytes)
      for (const read of readers) read(isHeaded ? join(writeHeader(value), garbage) : garbage)
    }),
    { numRuns: 2_000 },
  )
})
