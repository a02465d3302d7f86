// Bitmaps: strings read and written bit by bit. Bit 0 is the highest of the first byte.
import { countChanges, findTyped, peek, put, remove } from '../values/find.ts'
import { ErrorReply, syntaxError, toInt64, toInteger, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { array, integer, nil, OOM } from '../../../protocol/resp.ts'

const MAX_OFFSET = 2 ** 32 - 1

const read = (call: Call, key: string): string => findTyped(call, key, 'string')?.value ?? ''
const write = (call: Call, key: string, value: string): void =>
  put(call, key, { type: 'string', value, isRaw: true, expiresAt: peek(call, key)?.expiresAt })

const bitAt = (text: string, at: number): number =>
  ((text.charCodeAt(Math.floor(at / 8)) || 0) >> (7 - (at & 7))) & 1
/** Of an operation of BITFIELD; and what is looked at byte by byte. */
const FIELD_WORK = 150
const BITS_A_UNIT = 64
const BYTES_A_UNIT = 8
/** How many bits of a byte are set. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

function toOffset(text: string | undefined): number {
  const offset = /^(0|[1-9]\d{0,9})$/.test(text ?? '') ? Number(text) : Infinity
  if (offset > MAX_OFFSET) throw new ErrorReply('ERR bit offset is not an integer or out of range')
  return offset
}

/** The bytes of a text, and zeros up to `bits`. */
function wideBytes(text: string, bits: number): Buffer {
  const wide = Buffer.alloc(Math.max(text.length, Math.ceil(bits / 8)))
  wide.write(text, 'latin1')
  return wide
}

function setBit(bytes: Buffer, place: number, bit: number): void {
  const [at, mask] = [Math.floor(place / 8), 0x80 >> (place & 7)]
  bytes[at] = bit ? bytes[at]! | mask : bytes[at]! & ~mask
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
  const [start, end] = bitRange(text.length, from, to, isBitUnit(unit))
  call.work.spend((end - start) / BITS_A_UNIT)
  let count = 0
  for (let at = start; at < end;) {
    const isWhole = at % 8 === 0 && at + 8 <= end
    count += isWhole ? ONES[text.charCodeAt(at / 8)]! : bitAt(text, at)
    at += isWhole ? 8 : 1
  }
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
  call.work.spend((end - start) / BITS_A_UNIT)
  const without = bit === 1 ? 0 : 255
  for (let at = start; at < end;) {
    if (at % 8 === 0 && at + 8 <= end && text.charCodeAt(at / 8) === without) at += 8
    else if (bitAt(text, at) === bit) return integer(at)
    else at += 1
  }
  return integer(bit === 0 && last === undefined && end > start ? end : -1)
}

const bitOp: Command = (call) => {
  const [, operation, to = '', ...from] = call.args
  const name = upper(operation)
  if (!/^(AND|OR|XOR|NOT)$/.test(name)) throw syntaxError()
  if (name === 'NOT' && from.length > 1)
    throw new ErrorReply('ERR BITOP NOT must be called with a single source key.')
  const texts = from.map((key) => read(call, key))
  const length = texts.reduce((most, text) => Math.max(most, text.length), 0)
  call.work.spend((length * texts.length) / BYTES_A_UNIT)
  const result = wideBytes(texts[0]!, length * 8)
  if (name === 'NOT') for (let at = 0; at < length; at += 1) result[at] = ~result[at]!
  for (const text of texts.slice(1)) combineBytes(result, wideBytes(text, length * 8), name)
  const isRemoved = length === 0 && remove(call, to)
  countChanges(call, length > 0 || isRemoved ? 1 : 0)
  if (length > 0) put(call, to, { type: 'string', value: result.toString('latin1') })
  return integer(length)
}

function combineBytes(result: Buffer, by: Buffer, name: string): void {
  for (let at = 0; at < result.length; at += 1) {
    const [a, b] = [result[at]!, by[at]!]
    result[at] = name === 'AND' ? a & b : name === 'OR' ? a | b : a ^ b
  }
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

function readField(bytes: Buffer, { isSigned, width, at }: Field): bigint {
  let value = 0n
  for (let i = 0; i < width; i += 1) {
    const place = at + i
    value = (value << 1n) | BigInt(((bytes[Math.floor(place / 8)] ?? 0) >> (7 - (place & 7))) & 1)
  }
  return isSigned ? BigInt.asIntN(width, value) : value
}

function writeField(bytes: Buffer, { width, at }: Field, value: bigint): void {
  const digits = BigInt.asUintN(width, value).toString(2).padStart(width, '0')
  for (let i = 0; i < width; i += 1) setBit(bytes, at + i, Number(digits[i]))
}

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
    call.work.spend(operations.length * FIELD_WORK)
    const text = read(call, key)
    const widest = operations.reduce(
      (most, { name, field }) => (name === 'GET' ? most : Math.max(most, field.at + field.width)),
      0,
    )
    if (call.server.keyspace.isFull(widest / 8)) return OOM
    const bytes = wideBytes(text, widest)
    let changes = 0
    let written = text.length
    const replies = operations.map(({ name, field, value, overflow }) => {
      const old = readField(bytes, field)
      if (name === 'GET') return integer(old)
      const next = fitted(name === 'SET' ? value : old + value, field, overflow)
      if (next === undefined) return nil(call.client.resp)
      changes += 1
      writeField(bytes, field, next)
      written = Math.max(written, Math.ceil((field.at + field.width) / 8))
      return integer(name === 'SET' ? old : next)
    })
    countChanges(call, changes)
    if (widest > 0) write(call, key, bytes.toString('latin1', 0, written))
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
    const bytes = wideBytes(text, at + 1)
    setBit(bytes, at, Number(bit))
    write(call, key, bytes.toString('latin1'))
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
