// Bitmaps: strings read and written bit by bit. Bit 0 is the highest of the first byte.
import {
  countChanges,
  ErrorReply,
  findTyped,
  peek,
  put,
  remove,
  syntaxError,
  toInt64,
  toInteger,
  upper,
  type Call,
  type Command,
} from '../call.ts'
import { array, integer, nil, OOM } from '../resp.ts'

const MAX_OFFSET = 2 ** 32 - 1

const read = (call: Call, key: string): string => findTyped(call, key, 'string')?.value ?? ''
const write = (call: Call, key: string, value: string): void =>
  put(call, key, { type: 'string', value, isRaw: true, expiresAt: peek(call, key)?.expiresAt })

const bitAt = (text: string, at: number): number => ((text.charCodeAt(at >> 3) || 0) >> (7 - (at & 7))) & 1

function toOffset(text: string | undefined): number {
  const offset = /^(0|[1-9]\d{0,9})$/.test(text ?? '') ? Number(text) : Infinity
  if (offset > MAX_OFFSET) throw new ErrorReply('ERR bit offset is not an integer or out of range')
  return offset
}

function withBits(text: string, at: number, bits: readonly number[]): string {
  const bytes = Buffer.from(text, 'latin1')
  const wide = Buffer.alloc(Math.max(bytes.length, Math.ceil((at + bits.length) / 8)))
  bytes.copy(wide)
  bits.forEach((bit, i) => {
    const place = at + i
    const mask = 0x80 >> (place & 7)
    wide[place >> 3] = bit ? wide[place >> 3]! | mask : wide[place >> 3]! & ~mask
  })
  return wide.toString('latin1')
}

/** The bits that a range of bytes, or of bits, covers: from, and behind the last. */
function bitRange(length: number, first: number, last: number, isBits: boolean): [number, number] {
  const size = isBits ? length * 8 : length
  const from = Math.max(0, first < 0 ? size + first : first)
  const to = Math.min(size - 1, Math.max(0, last < 0 ? size + last : last))
  if (from > to) return [0, 0]
  return isBits ? [from, to + 1] : [from * 8, (to + 1) * 8]
}

function isBitUnit(word: string | undefined): boolean {
  if (word === undefined) return false
  if (!/^(BIT|BYTE)$/.test(upper(word))) throw syntaxError()
  return upper(word) === 'BIT'
}

const bitCount: Command = (call) => {
  const [, key = '', first, last, unit] = call.args
  const text = read(call, key)
  if (!text) return integer(0)
  if (first !== undefined && last === undefined) throw syntaxError()
  if (call.args.length > 5) throw syntaxError()
  const [from, to] = first === undefined ? [0, -1] : [toInteger(first), toInteger(last)]
  if (from < 0 && to < 0 && from > to) return integer(0)
  let count = 0
  const [start, end] = bitRange(text.length, from, to, isBitUnit(unit))
  for (let at = start; at < end; at += 1) count += bitAt(text, at)
  return integer(count)
}

const bitPos: Command = (call) => {
  const [, key = '', wanted, first, last, unit] = call.args
  const bit = toInteger(wanted)
  if (bit !== 0 && bit !== 1) throw new ErrorReply('ERR The bit argument must be 1 or 0.')
  const text = read(call, key)
  if (!peek(call, key)) return integer(bit ? -1 : 0)
  if (call.args.length > 6) throw syntaxError()
  const from = first === undefined ? 0 : toInteger(first)
  const isBits = isBitUnit(unit)
  const to = last === undefined ? -1 : toInteger(last)
  const [start, end] = bitRange(text.length, from, to, isBits)
  for (let at = start; at < end; at += 1) if (bitAt(text, at) === bit) return integer(at)
  return integer(bit === 0 && last === undefined && end > start ? end : -1)
}

const bitOp: Command = (call) => {
  const [, operation, to = '', ...from] = call.args
  const name = upper(operation)
  if (!/^(AND|OR|XOR|NOT)$/.test(name)) throw syntaxError()
  if (name === 'NOT' && from.length > 1)
    throw new ErrorReply('ERR BITOP NOT must be called with a single source key.')
  const texts = from.map((key) => Buffer.from(read(call, key), 'latin1'))
  const length = Math.max(...texts.map((text) => text.length))
  const result = Buffer.alloc(length)
  for (let at = 0; at < length; at += 1) {
    const bytes = texts.map((text) => text[at] ?? 0)
    if (name === 'NOT') result[at] = ~bytes[0]!
    else result[at] = bytes.reduce((a, b) => (name === 'AND' ? a & b : name === 'OR' ? a | b : a ^ b))
  }
  const isRemoved = length === 0 && remove(call, to)
  countChanges(call, length > 0 || isRemoved ? 1 : 0)
  if (length > 0) put(call, to, { type: 'string', value: result.toString('latin1') })
  return integer(length)
}

interface Field {
  readonly isSigned: boolean
  readonly width: number
  readonly at: number
}

function toField(type: string | undefined, offset: string | undefined): Field {
  const [, sign, digits] = /^([iu])([1-9]\d?)$/.exec(type ?? '') ?? []
  const width = Number(digits)
  if (!sign || width > (sign === 'i' ? 64 : 63)) {
    throw new ErrorReply(
      'ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.',
    )
  }
  const at = offset?.startsWith('#') ? toOffset(offset.slice(1)) * width : toOffset(offset)
  return { isSigned: sign === 'i', width, at }
}

function readField(text: string, { isSigned, width, at }: Field): bigint {
  let value = 0n
  for (let i = 0; i < width; i += 1) value = (value << 1n) | BigInt(bitAt(text, at + i))
  return isSigned ? BigInt.asIntN(width, value) : value
}

const withField = (text: string, { width, at }: Field, value: bigint): string =>
  withBits(text, at, [...BigInt.asUintN(width, value).toString(2).padStart(width, '0')].map(Number))

/** The value that fits; undefined when OVERFLOW FAIL refuses it. */
function fitted(value: bigint, { isSigned, width }: Field, overflow: string): bigint | undefined {
  const [least, most] = isSigned
    ? [-(2n ** BigInt(width - 1)), 2n ** BigInt(width - 1) - 1n]
    : [0n, 2n ** BigInt(width) - 1n]
  if (value >= least && value <= most) return value
  if (overflow === 'FAIL') return undefined
  if (overflow === 'SAT') return value < least ? least : most
  return isSigned ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value)
}

type FieldOperation = {
  readonly name: string
  readonly field: Field
  readonly value: bigint
  readonly overflow: string
}

function fieldOperations(words: readonly string[], isReadOnly: boolean): FieldOperation[] {
  const found: FieldOperation[] = []
  let overflow = 'WRAP'
  for (let at = 0; at < words.length;) {
    const name = upper(words[at])
    if (name === 'OVERFLOW' && words[at + 1] !== undefined) {
      overflow = upper(words[at + 1])
      if (!/^(WRAP|SAT|FAIL)$/.test(overflow)) throw new ErrorReply('ERR Invalid OVERFLOW type specified')
      at += 2
      continue
    }
    const length = name === 'GET' ? 3 : /^(SET|INCRBY)$/.test(name) ? 4 : 0
    if (length === 0 || at + length > words.length) throw syntaxError()
    if (isReadOnly && name !== 'GET') throw new ErrorReply('ERR BITFIELD_RO only supports the GET subcommand')
    const field = toField(words[at + 1], words[at + 2])
    found.push({ name, field, value: length === 4 ? toInt64(words[at + 3]) : 0n, overflow })
    at += length
  }
  return found
}

const bitField =
  (isReadOnly: boolean): Command =>
  (call) => {
    const key = call.args[1]!
    const operations = fieldOperations(call.args.slice(2), isReadOnly)
    call.server.isReading = operations.every(({ name }) => name === 'GET')
    let text = read(call, key)
    const widest = Math.max(
      0,
      ...operations.map(({ name, field }) => (name === 'GET' ? 0 : field.at + field.width)),
    )
    if (call.server.keyspace.isFull(widest / 8)) return OOM
    let changes = 0
    const replies = operations.map(({ name, field, value, overflow }) => {
      const old = readField(text, field)
      if (name === 'GET') return integer(old)
      const next = fitted(name === 'SET' ? value : old + value, field, overflow)
      if (next === undefined) return nil(call.client.resp)
      changes += 1
      text = withField(text, field, next)
      return integer(name === 'SET' ? old : next)
    })
    countChanges(call, changes)
    if (widest > 0) write(call, key, text)
    return array(replies)
  }

export const bits: Record<string, Command> = {
  setbit: (call) => {
    const [, key = '', offset, bit] = call.args
    const at = toOffset(offset)
    if (bit !== '0' && bit !== '1') throw new ErrorReply('ERR bit is not an integer or out of range')
    const text = read(call, key)
    if (call.server.keyspace.isFull(at / 8)) return OOM
    const isAsBefore = at < text.length * 8 && bitAt(text, at) === Number(bit)
    countChanges(call, isAsBefore ? 0 : 1)
    write(call, key, withBits(text, at, [Number(bit)]))
    return integer(bitAt(text, at))
  },
  getbit: (call) => {
    const at = toOffset(call.args[2])
    return integer(bitAt(read(call, call.args[1]!), at))
  },
  bitcount: bitCount,
  bitpos: bitPos,
  bitop: bitOp,
  bitfield: bitField(false),
  bitfield_ro: bitField(true),
}
