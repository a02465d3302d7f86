// What Debian's smbd 4.17.12 refused on 2026-11-27, and with which status.
import { expect, test } from 'vitest'
import { join, u64, zeros } from '../../../../../windows/fields.ts'
import { EMPTY_NT_HASH } from '../../../../../windows/netntlm.ts'
import { ioctlBody } from '../../../../../../lab/smb/samba/bodies.ts'
import {
  act,
  connectTo,
  create,
  fileOf,
  login,
  negotiate,
  type Act,
} from '../../../../../../lab/smb/samba/client.ts'
import { replaySamba } from '../../../../../../lab/smb/samba/replay.ts'

const GUEST = { user: 'bob', domain: 'WORKGROUP', workstation: 'CLIENT', ntHash: EMPTY_NT_HASH }

/** The statuses of these requests on a share, in hexadecimal. */
function statuses(share: string, ...acts: readonly Act[]): string[] {
  const before = [negotiate({ dialects: [0x0302] }), ...login(GUEST), connectTo(share)]
  const { text } = replaySamba([...before, ...acts])
  return text
    .split('\n')
    .slice(before.length)
    .map((line) => line.split(' ')[1]!)
}

const OPEN = 1
const OVERWRITE = 4
const open = (name: string, access: number, options = 0, disposition = OPEN): Act =>
  create(name, { access, disposition, options, share: 7, attributes: 0, oplock: 0, impersonation: 2 })
const ioctl = (code: number, input: Buffer): Act =>
  act('ioctl', 11, (client) => ioctlBody(code, fileOf(client), input, 65_536, 1))

const FILE = 'Sales\\offer 32425.docx'
const [READ, READ_ATTRIBUTES, WRITE, DELETE, SYSTEM_SECURITY] = [0x120089, 0x80, 0x2, 0x10000, 0x1000000]
const [DIRECTORY, NON_DIRECTORY, BY_ID, RESERVED] = [0x1, 0x40, 0x2000, 0x100000]
const [SET_SPARSE, ALLOCATED_RANGES, ZERO_DATA] = [0x900c4, 0x940cf, 0x980c8]
const RANGE = join(u64(0), u64(100))

test('opening by id is not supported, whatever else is asked for', () => {
  const acts = [
    open('Sales', SYSTEM_SECURITY, BY_ID),
    open('nope', READ, BY_ID | RESERVED),
    open(FILE, READ, BY_ID),
  ]
  expect(statuses('Documents', ...acts)).toEqual(['c00000bb', 'c00000bb', 'c00000bb'])
})

test('a folder opened as a file is refused as a folder, once the share would allow the rights', () => {
  const acts = [
    open('Sales', DELETE, NON_DIRECTORY),
    open('Sales', DELETE, NON_DIRECTORY, OVERWRITE),
    open('Sales', WRITE, NON_DIRECTORY),
  ]
  expect(statuses('Documents', ...acts)).toEqual(['c00000ba', 'c00000ba', 'c0000022'])
})

test('a folder that is not there is refused by its rights first, a file by its name', () => {
  const acts = [
    open('nope', WRITE, DIRECTORY),
    open('nope', WRITE, DIRECTORY, OVERWRITE),
    open('nope', WRITE),
  ]
  expect(statuses('Documents', ...acts)).toEqual(['c0000022', 'c0000022', 'c0000034'])
})

test('allocated ranges need the right to read; a folder has none', () => {
  const asks = [ioctl(ALLOCATED_RANGES, zeros(0)), ioctl(ALLOCATED_RANGES, RANGE)]
  expect(statuses('Documents', open(FILE, READ_ATTRIBUTES), ...asks)).toEqual(['0', 'c0000022', 'c0000022'])
  expect(statuses('Documents', open(FILE, READ), ...asks)).toEqual(['0', 'c000000d', '0'])
  expect(statuses('Documents', open('Sales', READ), ...asks)).toEqual(['0', 'c000000d', '0'])
})

test('nothing can be zeroed or made sparse', () => {
  const asks = [ioctl(ZERO_DATA, zeros(0)), ioctl(ZERO_DATA, RANGE), ioctl(SET_SPARSE, zeros(0))]
  expect(statuses('Documents', open(FILE, READ), ...asks)).toEqual(['0', 'c0000022', 'c0000022', 'c00000a2'])
  expect(statuses('IPC$', open('srvsvc', 0x12019f), ...asks)).toEqual([
    '0',
    'c000000d',
    'c0000008',
    'c00000a2',
  ])
})
