// A client of DCE/RPC over a pipe, for tests.
import { join, u16, u32, u8, zeros } from '../../../src/windows/fields.ts'
import { COMMAND } from '../../../src/services/smb/protocol/codec/header.ts'
import { uuid } from '../../../src/services/smb/protocol/pipes/rpc.ts'
import { ioctlBody, ioctlOutput, type SmbClient } from './client.ts'

const NDR = uuid('8a885d04-1ceb-11c9-9fe8-08002b104860')
const TRANSCEIVE = 0x0011c017

export const pdu = (type: number, body: Buffer, flags = 3, authLength = 0): Buffer =>
  join(u8(5), u8(0), u8(type), u8(flags), u32(0x10), u16(16 + body.length), u16(authLength), u32(1), body)

export const bindPdu = (
  interfaceUuid: string,
  version: number,
  transfer = NDR,
  maxFragment = 4_280,
): Buffer =>
  pdu(
    11,
    join(
      u16(maxFragment),
      u16(maxFragment),
      u32(0),
      u32(1),
      u16(0),
      u16(1),
      Buffer.from(uuid(interfaceUuid), 'hex'),
      u32(version),
      Buffer.from(transfer, 'hex'),
      u32(2),
    ),
  )

export const requestPdu = (opnum: number, stub: Buffer, flags = 3): Buffer =>
  pdu(0, join(u32(stub.length), u16(0), u16(opnum), stub), flags)

/** A pipe that is open; its requests are written and answered in one message. */
export function openPipe(client: SmbClient, name: string) {
  const id = client.open(name, { access: 0x0012019f })
  const send = (bytes: Buffer, max = 65_536): Buffer =>
    ioctlOutput(client.request(COMMAND.ioctl, ioctlBody(TRANSCEIVE, id, bytes, max)))
  return {
    id,
    send,
    bind: (interfaceUuid: string, version: number): Buffer => send(bindPdu(interfaceUuid, version)),
    /** The stub of the answer, or the status of a fault. */
    call(opnum: number, stub: Buffer): Buffer | number {
      const answer = send(requestPdu(opnum, stub))
      return answer[2] === 3 ? answer.readUInt32LE(24) : answer.subarray(24)
    },
  }
}

/** A string behind a unique pointer. */
export const pointerTo = (text: string): Buffer => join(u32(0x20000), stringOf(text))

export function stringOf(text: string): Buffer {
  const characters = Buffer.from(`${text}\0`, 'utf16le')
  const count = u32(text.length + 1)
  return join(count, u32(0), count, characters, zeros(-characters.length & 3))
}
