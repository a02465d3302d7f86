// PDUs of connection-oriented DCE/RPC (C706 12.6, [MS-RPCE] 2.2.2).
//
//   byte    0   1   2      3       4 … 7    8 … 9    10 … 11   12 … 15
//        ┌───┬───┬──────┬───────┬────────┬────────┬─────────┬─────────┐
//        │ 5 │ 0 │ type │ flags │ format │ length │ auth    │ call id │
//        └───┴───┴──────┴───────┴────────┴────────┴─────────┴─────────┘
import { aligned, join, reader, u16, u32, u8, zeros } from '../../../../windows/fields.ts'

export const PDU = {
  request: 0,
  response: 2,
  fault: 3,
  bind: 11,
  bindAck: 12,
  bindNak: 13,
  alterContext: 14,
  alterContextAck: 15,
} as const

export const PDU_FLAG = { first: 1, last: 2, didNotExecute: 0x20 } as const
const HEADER_BYTES = 16
/** What a strict server takes: twice the longest fragment of Windows. */
const MAX_STRICT_BYTES = 2 * 4_280

export interface Pdu {
  readonly type: number
  readonly flags: number
  readonly callId: number
  readonly isAuthenticated: boolean
  readonly body: Buffer
}

/**
 * A whole PDU from the front and its length; undefined when more is needed, `corrupt` when it is none. A strict server wants
 * version 5, integers and texts as all clients of Windows send them (0x10: little-endian, ASCII), and a length within bounds.
 */
export function readPdu(
  bytes: Buffer,
  isStrict: boolean,
): { readonly pdu: Pdu; readonly length: number } | 'corrupt' | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  const isLittle = (bytes[4]! & 0x10) !== 0
  const length = isLittle ? bytes.readUInt16LE(8) : bytes.readUInt16BE(8)
  const isUsual = bytes[0] === 5 && bytes[4] === 0x10 && length <= MAX_STRICT_BYTES
  if (length < HEADER_BYTES || (isStrict && !isUsual)) return 'corrupt'
  if (bytes.length < length) return undefined
  const pdu = {
    type: bytes[2]!,
    flags: bytes[3]!,
    callId: bytes.readUInt32LE(12),
    isAuthenticated: bytes.readUInt16LE(10) > 0,
    body: bytes.subarray(HEADER_BYTES, length),
  }
  return { pdu, length }
}

export function writePdu(type: number, flags: number, callId: number, body: Buffer): Buffer {
  const head = [
    u8(5),
    u8(0),
    u8(type),
    u8(flags),
    u32(0x10),
    u16(HEADER_BYTES + body.length),
    u16(0),
    u32(callId),
  ]
  return join(...head, body)
}

const WHOLE = PDU_FLAG.first | PDU_FLAG.last

export interface OfferedContext {
  readonly id: number
  /** Interface UUID as on the wire, and its version. */
  readonly uuid: string
  readonly version: number
  readonly transfers: readonly string[]
}

export interface Bind {
  readonly maxReceived: number
  readonly group: number
  readonly contexts: readonly OfferedContext[]
}

/** Of a pipe, and so of one bind. */
export const MAX_CONTEXTS = 64

export function readBind(body: Buffer): Bind | undefined {
  const fields = reader(body)
  fields.skip(2)
  const maxReceived = fields.u16()
  const group = fields.u32()
  const count = fields.u8()
  fields.skip(3)
  if (count > MAX_CONTEXTS) return undefined
  const contexts = Array.from({ length: count }, () => {
    const id = fields.u16()
    const transferCount = fields.u8()
    fields.skip(1)
    const uuid = fields.bytes(16).toString('hex')
    const version = fields.u16()
    fields.skip(2)
    const transfers = Array.from({ length: fields.isIntact ? transferCount : 0 }, () => {
      const transfer = fields.bytes(16).toString('hex')
      fields.skip(4)
      return transfer
    })
    return { id, uuid, version, transfers }
  })
  return fields.isIntact ? { maxReceived, group, contexts } : undefined
}

/** NDR of 32 bits ([MS-RPCE] 2.2.4.12), version 2. */
export const NDR32 = '045d888aeb1cc9119fe808002b104860'
/** Bind-time feature negotiation ([MS-RPCE] 2.2.2.14): its last bytes are the features. */
export const isFeatureNegotiation = (transfer: string): boolean => transfer.startsWith('2c1cb76c12984045')

export const RESULT = { accepted: 0, rejected: 2, features: 3 } as const
export const REASON = { none: 0, abstractSyntax: 1, transferSyntax: 2, localLimit: 3 } as const

export interface BindResult {
  readonly result: number
  readonly reason: number
}

export interface BindAnswer {
  readonly maxFragment: number
  readonly group: number
  /** Where the pipe is; to a context that is altered it is not said. */
  readonly address: string
  readonly results: readonly BindResult[]
}

export function bindAck(
  type: number,
  callId: number,
  { maxFragment, group, address, results }: BindAnswer,
): Buffer {
  const port = type === PDU.bindAck ? `${address}\0` : ''
  const list = results.map(({ result, reason }) => {
    const syntax = result === RESULT.accepted ? join(Buffer.from(NDR32, 'hex'), u32(2)) : zeros(20)
    return join(u16(result), u16(reason), syntax)
  })
  const body = join(
    u16(maxFragment),
    u16(maxFragment),
    u32(group),
    // A multiple of four bytes from the beginning of the PDU.
    aligned(join(u16(port.length), Buffer.from(port, 'latin1')), 4),
    u8(results.length),
    zeros(3),
    ...list,
  )
  return writePdu(type, WHOLE, callId, body)
}

/** Why a bind is refused ([MS-RPCE] 2.2.2.5). */
export const NAK = { notSpecified: 0, protocolVersion: 4, authentication: 8 } as const

export const bindNak = (callId: number, reason: number): Buffer =>
  writePdu(PDU.bindNak, WHOLE, callId, join(u16(reason), u8(1), u8(5), u8(0), zeros(3)))

export interface FaultForm {
  /** The bytes that the answer hints at. */
  readonly hint: number
  readonly didNotExecute: boolean
}

export const writeFault = (
  callId: number,
  contextId: number,
  status: number,
  { hint, didNotExecute }: FaultForm,
): Buffer =>
  writePdu(
    PDU.fault,
    WHOLE | (didNotExecute ? PDU_FLAG.didNotExecute : 0),
    callId,
    join(u32(hint), u16(contextId), u16(0), u32(status), u32(0)),
  )

export interface Request {
  readonly contextId: number
  readonly opnum: number
  readonly stub: Buffer
}

export function readRequest(body: Buffer): Request | undefined {
  if (body.length < 8) return undefined
  return { contextId: body.readUInt16LE(4), opnum: body.readUInt16LE(6), stub: body.subarray(8) }
}

/** An answer in fragments of at most `maxFragment` bytes. */
export function responses(callId: number, contextId: number, stub: Buffer, maxFragment: number): Buffer[] {
  const room = Math.max(8, (maxFragment - HEADER_BYTES - 8) & ~7)
  const count = Math.max(1, Math.ceil(stub.length / room))
  return Array.from({ length: count }, (_, i) => {
    const flags = (i === 0 ? PDU_FLAG.first : 0) | (i === count - 1 ? PDU_FLAG.last : 0)
    const content = stub.subarray(i * room, (i + 1) * room)
    return writePdu(
      PDU.response,
      flags,
      callId,
      join(u32(stub.length - i * room), u16(contextId), u16(0), content),
    )
  })
}
