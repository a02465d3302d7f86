// Datagrams of TFTP (RFC 1350, 5; options: RFC 2347).
//
//   ┌────────────┬──────────────────────────────────────────────────────┐
//   │ 1 RRQ, 2 WRQ │ name NUL mode NUL [ option NUL value NUL ]…        │
//   │ 3 DATA       │ block, 2 bytes; data                               │
//   │ 4 ACK        │ block, 2 bytes                                     │
//   │ 5 ERROR      │ code, 2 bytes; text NUL                            │
//   │ 6 OACK       │ [ option NUL value NUL ]…                          │
//   └──────────────┴────────────────────────────────────────────────────┘
import type { Decoded } from '../../../session/session.ts'

export const OP = { read: 1, write: 2, data: 3, ack: 4, error: 5, options: 6 } as const

export interface Request {
  /** Up to the first empty one; latin1. */
  readonly words: readonly string[]
  /** Something behind them has no NUL. */
  readonly isCut: boolean
}

export interface Datagram {
  /** Undefined where there are no two bytes. */
  readonly opcode: number | undefined
  /** Of data and acknowledgements; what is missing counts as 0. */
  readonly block: number
  readonly bytes: Buffer
}

/** Never throws. */
export const decode = (bytes: Buffer): Decoded<Datagram> => {
  if (bytes.length === 0) return undefined
  const copy = Buffer.from(bytes)
  const opcode = copy.length < 2 ? undefined : copy.readUInt16BE()
  return {
    frame: { opcode, block: copy.length < 4 ? 0 : copy.readUInt16BE(2), bytes: copy },
    length: bytes.length,
  }
}

export function requestOf({ bytes }: Datagram): Request {
  const parts = bytes.toString('latin1', 2).split('\0')
  const end = parts.indexOf('')
  const words = end < 0 ? parts.slice(0, -1) : parts.slice(0, end)
  return { words, isCut: end < 0 }
}

const headed = (opcode: number, number: number, rest: Buffer = Buffer.alloc(0)): Buffer => {
  const header = Buffer.alloc(4)
  header.writeUInt16BE(opcode)
  header.writeUInt16BE(number, 2)
  return Buffer.concat([header, rest])
}

export const acknowledgement = (block: number): Buffer => headed(OP.ack, block)
export const dataBlock = (block: number, data: Buffer): Buffer => headed(OP.data, block, data)
export const failure = (code: number, text: string): Buffer =>
  headed(OP.error, code, Buffer.from(`${text}\0`, 'latin1'))
export const optionsAgreed = (options: readonly (readonly [string, string])[]): Buffer =>
  Buffer.concat([
    Buffer.from([0, OP.options]),
    Buffer.from(options.map(([name, value]) => `${name}\0${value}\0`).join(''), 'latin1'),
  ])
