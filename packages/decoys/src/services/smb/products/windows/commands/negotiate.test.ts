// Claims of [MS-SMB2] about the negotiation, by section.
import { expect, it } from 'vitest'
import { join, u16, u32, zeros } from '../../../../../windows/fields.ts'
import { COMMAND } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fromFileTime } from '../../../../../windows/filetime.ts'
import {
  ALL_DIALECTS,
  context,
  messagesOf,
  negotiateBody,
  preauth,
  smbClient,
} from '../../../../../../lab/smb/windows/client.ts'

const dialectOf = (body: Buffer): number => body.readUInt16LE(4)

/** An SMB1 NEGOTIATE with these dialects ([MS-CIFS] 2.2.4.52.1). */
const smb1 = (...dialects: readonly string[]): Buffer => {
  const names = join(...dialects.map((name) => Buffer.from(`\x02${name}\0`, 'latin1')))
  const head = join(
    Buffer.from([0xff, 0x53, 0x4d, 0x42, 0x72]),
    zeros(27),
    Buffer.from([0]),
    u16(names.length),
  )
  const message = join(head, names)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(message.length)
  return join(length, message)
}

it.each(ALL_DIALECTS.map((dialect) => [dialect.toString(16), dialect] as const))(
  '[MS-SMB2] 3.3.5.4: a client that offers up to %s gets it, the greatest common dialect',
  (_, dialect) => {
    const offered = ALL_DIALECTS.filter((each) => each <= dialect)
    const { header, body } = smbClient().negotiate(...offered)
    expect([header.status, dialectOf(body)]).toEqual([STATUS.success, dialect])
  },
)

it('[MS-SMB2] 3.3.5.4: without dialects the answer is STATUS_INVALID_PARAMETER', () => {
  const { header } = smbClient().request(COMMAND.negotiate, negotiateBody([]))
  expect(header.status).toBe(STATUS.invalidParameter)
})

it('[MS-SMB2] 3.3.5.4: without a common dialect the answer is STATUS_NOT_SUPPORTED', () => {
  expect(smbClient().request(COMMAND.negotiate, negotiateBody([0x0999])).header.status).toBe(
    STATUS.notSupported,
  )
})

it('[MS-SMB2] 3.3.5.4: a second negotiation closes the connection', () => {
  const client = smbClient()
  client.negotiate()
  client.send(client.message(COMMAND.negotiate, negotiateBody([0x0210])))
  expect(client.state.closed).toBe('reset')
})

it('[MS-SMB2] 3.3.5.2: a request before the negotiation closes the connection', () => {
  const client = smbClient()
  client.send(client.message(COMMAND.echo, join(u16(4), u16(0))))
  expect(client.state.closed).toBe('reset')
})

it('[MS-SMB2] 3.3.5.4: 3.1.1 without a preauthentication context is STATUS_INVALID_PARAMETER', () => {
  const { header } = smbClient().request(COMMAND.negotiate, negotiateBody([0x0311], []))
  expect(header.status).toBe(STATUS.invalidParameter)
})

it('[MS-SMB2] 3.3.5.4: a preauthentication context twice is STATUS_INVALID_PARAMETER', () => {
  const { header } = smbClient().request(
    COMMAND.negotiate,
    negotiateBody([0x0311], [...preauth(), ...preauth()]),
  )
  expect(header.status).toBe(STATUS.invalidParameter)
})

it('[MS-SMB2] 3.3.5.4: hashes without SHA-512 are STATUS_SMB_NO_PREAUTH_INTEGRITY_HASH_OVERLAP', () => {
  const { header } = smbClient().request(COMMAND.negotiate, negotiateBody([0x0311], preauth(2)))
  expect(header.status).toBe(0xc05d0000)
})

/** The contexts of an answer, by their type. */
function contextsIn(message: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  let at = message.readUInt32LE(64 + 60)
  for (let left = message.readUInt16LE(64 + 6); left > 0; left -= 1) {
    const length = message.readUInt16LE(at + 2)
    found.set(message.readUInt16LE(at), message.subarray(at + 8, at + 8 + length))
    at = (at + 8 + length + 7) & ~7
  }
  return found
}

it('[MS-SMB2] 2.2.4.1: the contexts answered are one hash with a salt, and one cipher, GCM before CCM', () => {
  const ciphers = context(2, join(u16(2), u16(1), u16(2)))
  const client = smbClient()
  const { message } = client.request(COMMAND.negotiate, negotiateBody([0x0311], [...preauth(), ciphers]))
  const contexts = contextsIn(message)
  expect([...contexts.keys()]).toEqual([1, 2])
  expect(contexts.get(1)?.subarray(0, 6)).toEqual(join(u16(1), u16(32), u16(1)))
  expect(contexts.get(1)?.length).toBe(6 + 32)
  expect(contexts.get(2)).toEqual(join(u16(1), u16(2)))
})

it('[MS-SMB2] 3.3.5.4: without a common cipher the cipher is 0', () => {
  const ciphers = context(2, join(u16(1), u16(0x0077)))
  const { message } = smbClient().request(COMMAND.negotiate, negotiateBody([0x0311], [...preauth(), ciphers]))
  expect(contextsIn(message).get(2)).toEqual(join(u16(1), u16(0)))
})

it.each(['windows-server-2019', 'windows-10'])(
  '[MS-SMB2] 2.2.3.1.7: %s answers no signing capabilities, which came with Windows 11 and Server 2022',
  (mode) => {
    const signings = context(8, join(u16(3), u16(2), u16(1), u16(0)))
    const { message } = smbClient({ settings: { 'smb.mode': mode } }).request(
      COMMAND.negotiate,
      negotiateBody([0x0311], [...preauth(), signings]),
    )
    expect([...contextsIn(message).keys()]).toEqual([1])
  },
)

/** SMB2_COMPRESSION_CAPABILITIES: how many, padding, flags, and the algorithms. */
const compression = (flags: number, ...algorithms: readonly number[]): Buffer =>
  context(3, join(u16(algorithms.length), u16(0), u32(flags), ...algorithms.map(u16)))

/** The answer of a mode to a client that compresses. */
const compressed = (mode: string, ...contexts: readonly Buffer[]) =>
  smbClient({ settings: { 'smb.mode': mode } }).request(
    COMMAND.negotiate,
    negotiateBody([0x0311], [...preauth(), ...contexts]),
  )

it('[MS-SMB2] 2.2.3.1.3: Windows Server 2019 knows no compression', () => {
  expect([...contextsIn(compressed('windows-server-2019', compression(0, 1, 2, 3)).message).keys()]).toEqual([
    1,
  ])
})

it.each([
  ['LZ77 first', 0, [2, 1, 3], [2]],
  ['all of them, chained', 1, [4, 3, 2, 1], [4, 3]],
  ['the pattern scan last, chained', 1, [1, 2, 4], [1, 4]],
  ['one that it does not know, and LZNT1', 0, [9, 1], [1]],
])(
  '[MS-SMB2] 3.3.5.4: Windows 10 v2004 takes the first algorithm and the pattern scan: %s',
  (_, flags, offered, taken) => {
    const answer = contextsIn(compressed('windows-10', compression(flags, ...offered)).message).get(3)
    expect(answer).toEqual(join(u16(taken.length), u16(0), u32(flags), ...taken.map(u16)))
  },
)

it('[MS-SMB2] 3.3.5.4: without a common algorithm Windows 10 v2004 answers with none', () => {
  const { message } = compressed('windows-10', compression(0, 9))
  expect(contextsIn(message).get(3)).toEqual(join(u16(0), u16(0), u32(0)))
})

it('[MS-SMB2] 3.3.5.4: without any algorithm, or cut, the compression is STATUS_INVALID_PARAMETER', () => {
  for (const wrong of [compression(0), context(3, join(u16(1), u16(0), u32(0))), context(3, u16(1))])
    expect(compressed('windows-10', wrong).header.status).toBe(STATUS.invalidParameter)
})

it('the scanners that look for compression see the two contexts of a Windows 10', () => {
  const { message } = compressed('windows-10', compression(0, 1))
  expect(message.readUInt16LE(64 + 4)).toBe(0x0311)
  expect(message.readUInt16LE(64 + 6)).toBe(2)
})

it('[MS-SMB2] 2.2.3.1: a context of an unknown type is passed over', () => {
  const unknown = context(0x0100, Buffer.alloc(5))
  const { header } = smbClient().request(COMMAND.negotiate, negotiateBody([0x0311], [...preauth(), unknown]))
  expect(header.status).toBe(STATUS.success)
})

it('[MS-SMB2] 3.3.5.4: 2.0.2 has DFS alone, 2.1 leasing and large requests besides', () => {
  const capabilities = (...dialects: number[]): number =>
    smbClient()
      .negotiate(...dialects)
      .body.readUInt32LE(24)
  expect(capabilities(0x0202)).toBe(1)
  expect(capabilities(0x0210)).toBe(7)
})

it('[MS-SMB2] 3.3.5.4: 3.0 offers encryption as a capability, 3.1.1 as a context only', () => {
  expect(smbClient().negotiate(0x0300).body.readUInt32LE(24) & 0x40).toBe(0x40)
  expect(smbClient().negotiate(0x0311).body.readUInt32LE(24) & 0x40).toBe(0)
})

it('[MS-SMB2] 3.3.5.4: multichannel is offered only to a client that has it', () => {
  const client = smbClient()
  const { body } = client.request(COMMAND.negotiate, negotiateBody([0x0300], [], 0x07))
  expect(body.readUInt32LE(24) & 0x08).toBe(0)
})

it('[MS-SMB2] 2.2.4: the answer has the time of the system, and no time of its start', () => {
  const { body } = smbClient().negotiate()
  expect(fromFileTime(body.readBigUInt64LE(40))).toBe(Date.UTC(2026, 10, 20, 9, 39, 2))
  expect(body.readBigUInt64LE(48)).toBe(0n)
})

it('[MS-SMB2] 2.2.4: signing is enabled, and required if the settings say so', () => {
  expect(smbClient().negotiate().body.readUInt16LE(2)).toBe(1)
  const settings = { 'smb.advanced.enabled': true, 'smb.advanced.serversigning': 'mandatory' }
  expect(smbClient({ settings }).negotiate().body.readUInt16LE(2)).toBe(3)
})

it('[MS-SMB2] 3.3.5.3.1: SMB1 with "SMB 2.???" is answered by SMB2 with dialect 0x02FF', () => {
  const client = smbClient()
  const [message] = messagesOf(client.receive(smb1('NT LM 0.12', 'SMB 2.002', 'SMB 2.???')))
  expect(message?.readUInt32BE(0)).toBe(0xfe534d42)
  expect(dialectOf(message!.subarray(64))).toBe(0x02ff)
  expect(message?.readBigUInt64LE(24)).toBe(0n)
})

it.each([0n, 1n])(
  '[MS-SMB2] 3.2.5.2: behind it the client negotiates anew, with message id %i',
  (messageId) => {
    const client = smbClient()
    client.receive(smb1('NT LM 0.12', 'SMB 2.???'))
    client.state.messageId = messageId
    const { header, body } = client.negotiate()
    expect([header.status, dialectOf(body)]).toEqual([STATUS.success, 0x0311])
  },
)

it('[MS-SMB2] 3.3.5.3.2: SMB1 with "SMB 2.002" alone leads to 2.0.2 at once', () => {
  const client = smbClient()
  const [message] = messagesOf(client.receive(smb1('NT LM 0.12', 'SMB 2.002')))
  expect(dialectOf(message!.subarray(64))).toBe(0x0202)
  client.state.messageId = 1n
  expect(client.login({ user: 'bob', ntHash: Buffer.alloc(16, 7) }).header.status).toBe(STATUS.success)
})

it('[MS-SMB2] 3.3.5.3: to a client of SMB1 alone the connection closes without an answer', () => {
  const client = smbClient()
  expect(client.receive(smb1('PC NETWORK PROGRAM 1.0', 'NT LM 0.12'))).toEqual(Buffer.alloc(0))
  expect(client.state.closed).toBe('reset')
})

it('[MS-SMB2] 3.3.5.2.1.1: an encrypted message of no session closes the connection', () => {
  const client = smbClient()
  client.negotiate()
  const transform = join(Buffer.from([0xfd, 0x53, 0x4d, 0x42]), zeros(48), u32(0))
  client.receive(join(Buffer.from([0, 0, 0, transform.length]), transform))
  expect(client.state.closed).toBe('reset')
})

it('[MS-SMB2] 2.2.42: a compressed message of a client closes the connection, as a broken one', () => {
  const client = smbClient({ settings: { 'smb.mode': 'windows-10' } })
  client.request(COMMAND.negotiate, negotiateBody([0x0311], [...preauth(), compression(0, 1)]))
  const transform = join(Buffer.from([0xfc, 0x53, 0x4d, 0x42]), u32(100), u16(1), u16(0), u32(0), zeros(16))
  client.receive(join(Buffer.from([0, 0, 0, transform.length]), transform))
  expect(client.state.closed).toBe('reset')
})
