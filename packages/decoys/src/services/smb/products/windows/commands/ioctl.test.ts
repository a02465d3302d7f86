// Claims of [MS-SMB2] about IOCTL, by section.
import { expect, it } from 'vitest'
import { join, reader, u16, u32, zeros } from '../../../../../windows/fields.ts'
import { COMMAND } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import {
  ALL_DIALECTS,
  connected,
  ioctlBody,
  ioctlOutput,
  type SmbClient,
} from '../../../../../../lab/smb/windows/client.ts'

const NO_FILE = Buffer.alloc(16, 0xff)
const validate = (client: SmbClient, dialects: readonly number[], capabilities = 0x7f) => {
  const input = join(
    u32(capabilities),
    Buffer.alloc(16, 0x11),
    u16(1),
    u16(dialects.length),
    ...dialects.map(u16),
  )
  return client.send(client.message(COMMAND.ioctl, ioctlBody(0x00140204, NO_FILE, input, 24)))[0]
}

it('[MS-SMB2] 3.3.5.15.12: FSCTL_VALIDATE_NEGOTIATE_INFO repeats what was negotiated', () => {
  const dialects = ALL_DIALECTS.slice(0, 4)
  const answer = validate(connected({ dialects }), dialects)
  const fields = reader(ioctlOutput(answer!))
  expect(fields.u32() & 7).toBe(7)
  fields.skip(16)
  expect([fields.u16(), fields.u16()]).toEqual([1, 0x0302])
})

it('[MS-SMB2] 3.3.5.15.12: if the negotiation was changed on its way, the connection closes', () => {
  for (const [dialects, capabilities] of [
    [ALL_DIALECTS.slice(0, 3), 0x7f],
    [[0x0302], 0x7f],
    [ALL_DIALECTS.slice(0, 4), 0x3f],
  ] as const) {
    const client = connected({ dialects: ALL_DIALECTS.slice(0, 4) })
    expect(validate(client, dialects, capabilities)).toBeUndefined()
    expect(client.state.closed).toBe('reset')
  }
})

it('[MS-SMB2] 3.3.5.15.12: in 3.1.1 the request closes the connection', () => {
  const client = connected({ dialects: ALL_DIALECTS })
  expect(validate(client, ALL_DIALECTS)).toBeUndefined()
  expect(client.state.closed).toBe('reset')
})

it('[MS-SMB2] 3.3.5.15.2: a server without a DFS namespace answers STATUS_NOT_FOUND', () => {
  const client = connected({ share: 'IPC$' })
  const { header } = client.request(COMMAND.ioctl, ioctlBody(0x00060194, NO_FILE, join(u16(4), zeros(8))))
  expect(header.status).toBe(STATUS.notFound)
})

it('[MS-SMB2] 3.3.5.15.11: a client with multichannel learns of the interface that it came in by', () => {
  const client = connected({ dialects: [0x0300], context: { dst: { host: '192.0.2.1', port: 445 } } })
  const output = ioctlOutput(client.request(COMMAND.ioctl, ioctlBody(0x001401fc, NO_FILE, zeros(0))))
  expect([output.length, output.readUInt16LE(24)]).toEqual([152, 2])
  expect([...output.subarray(28, 32)]).toEqual([192, 0, 2, 1])
})

it('[MS-SMB2] 2.2.32.5: its address may be of IPv6', () => {
  const client = connected({ dialects: [0x0300], context: { dst: { host: '2001:db8::1', port: 445 } } })
  const output = ioctlOutput(client.request(COMMAND.ioctl, ioctlBody(0x001401fc, NO_FILE, zeros(0))))
  expect(output.readUInt16LE(24)).toBe(23)
  expect(output.toString('hex', 32, 48)).toBe('20010db8000000000000000000000001')
})

it('[MS-SMB2] 3.3.5.15.5: a resume key is the file for server-side copies', () => {
  const client = connected()
  const id = client.open('readme.txt')
  expect(ioctlOutput(client.request(COMMAND.ioctl, ioctlBody(0x00140078, id, zeros(0)))).length).toBe(32)
})

it('[MS-SMB2] 3.3.5.15.1: the share has no snapshots', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const output = ioctlOutput(client.request(COMMAND.ioctl, ioctlBody(0x00144064, id, zeros(0))))
  expect([output.readUInt32LE(0), output.readUInt32LE(4)]).toEqual([0, 0])
})

it.each([
  [0x000900a8, STATUS.notAReparsePoint],
  [0x000900c0, STATUS.accessDenied],
  [0x0009c040, STATUS.invalidDeviceRequest],
  [0x0011c017, STATUS.notSupported],
  [0x00060194, STATUS.invalidParameter],
  [0x001401fc, STATUS.invalidParameter],
])('[MS-FSCC] 2.3: control code %i on a file', (code, status) => {
  const client = connected()
  const id = client.open('readme.txt')
  expect(client.request(COMMAND.ioctl, ioctlBody(code, id, zeros(0))).header.status).toBe(status)
})

it('[MS-SMB2] 3.3.5.15: a request that is no FSCTL is STATUS_NOT_SUPPORTED', () => {
  const client = connected()
  const body = ioctlBody(0x00060194, NO_FILE, zeros(0))
  body.writeUInt32LE(0, 48)
  expect(client.request(COMMAND.ioctl, body).header.status).toBe(STATUS.notSupported)
})
