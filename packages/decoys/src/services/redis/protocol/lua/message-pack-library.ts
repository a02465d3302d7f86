// The library `cmsgpack` that Redis gives to scripts (MessagePack, msgpack/spec.md).
import { badArgument, integerArgument, library, textArgument, type Args, type Native } from './arguments.ts'
import { newText, readText } from './operations.ts'
import type { LuaMachine } from './run.ts'
import { KEY_WORK, LuaFault, LuaTable, type LuaValue } from './values.ts'

/** Deeper tables become nil. */
const MAX_DEPTH = 16
const MAX_VALUES = 8_000
const VALUE_WORK = 20
const READ_WORK = 10

const bytes = (size: number, write: (view: DataView) => void): string => {
  const buffer = Buffer.alloc(size)
  write(new DataView(buffer.buffer, buffer.byteOffset, size))
  return buffer.toString('latin1')
}
const tag = (code: number, size: number, value: number | bigint): string =>
  String.fromCharCode(code) + bigEndian(size, value)
const bigEndian = (size: number, value: number | bigint): string =>
  bytes(8, (view) => view.setBigInt64(0, BigInt(value))).slice(8 - size)

function packInteger(value: number): string {
  if (value >= 0) {
    if (value < 0x80) return String.fromCharCode(value)
    if (value < 0x100) return tag(0xcc, 1, value)
    if (value < 0x10000) return tag(0xcd, 2, value)
    return value < 2 ** 32 ? tag(0xce, 4, value) : tag(0xcf, 8, value)
  }
  if (value >= -32) return String.fromCharCode(256 + value)
  if (value >= -0x80) return tag(0xd0, 1, value)
  if (value >= -0x8000) return tag(0xd1, 2, value)
  return value >= -(2 ** 31) ? tag(0xd2, 4, value) : tag(0xd3, 8, value)
}

const packNumber = (value: number): string => {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return packInteger(value)
  return Math.fround(value) === value
    ? `\xca${bytes(4, (view) => view.setFloat32(0, value))}`
    : `\xcb${bytes(8, (view) => view.setFloat64(0, value))}`
}

const packLength = (
  length: number,
  [small, most]: readonly [number, number],
  codes: readonly number[],
): string => {
  if (length <= most) return String.fromCharCode(small + length)
  const [size, code] = [1, 2, 4]
    .slice(-codes.length)
    .flatMap((size, i) => (length < 2 ** (8 * size) ? [size, codes[i]!] : [])) as [number, number]
  return tag(code, size, length)
}

function pack(machine: LuaMachine, value: LuaValue, depth: number): string {
  machine.spend(VALUE_WORK)
  if (typeof value === 'string')
    return newText(machine, packLength(value.length, [0xa0, 31], [0xd9, 0xda, 0xdb]) + value)
  if (typeof value === 'boolean') return value ? '\xc3' : '\xc2'
  if (typeof value === 'number') return packNumber(value)
  if (!(value instanceof LuaTable) || depth >= MAX_DEPTH) return '\xc0'
  machine.spend(value.size * KEY_WORK)
  const keys = value.keys()
  const each = (one: LuaValue): string => pack(machine, one, depth + 1)
  // Different positive integers that are no more than there are.
  const isArray = keys.every(
    (key) => typeof key === 'number' && Number.isInteger(key) && key > 0 && key <= keys.length,
  )
  return newText(
    machine,
    isArray
      ? packLength(keys.length, [0x90, 15], [0xdc, 0xdd]) +
          keys.map((_, i) => each(value.get(i + 1))).join('')
      : packLength(keys.length, [0x80, 15], [0xde, 0xdf]) +
          keys.map((key) => each(key) + each(value.get(key))).join(''),
  )
}

class Reader {
  at = 0
  readonly #view: DataView
  readonly #bytes: Buffer
  readonly #machine: LuaMachine
  constructor(machine: LuaMachine, text: string) {
    this.#machine = machine
    this.#bytes = Buffer.from(text, 'latin1')
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
  }
  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }
  take(size: number): number {
    const from = this.at
    if (from + size > this.#bytes.length) throw new LuaFault('Missing bytes in input.')
    this.at += size
    return from
  }
  unsigned(size: number): number {
    let value = 0
    for (let from = this.take(size), i = 0; i < size; i += 1) value = value * 256 + this.#bytes[from + i]!
    return value
  }
  signed(size: number): number {
    const from = this.take(size)
    if (size === 8) return Number(this.#view.getBigInt64(from))
    return this.#bytes.readIntBE(from, size)
  }
  text(size: number): string {
    const from = this.take(size)
    return newText(this.#machine, this.#bytes.toString('latin1', from, from + size))
  }
  list(count: number, depth: number): LuaTable {
    const table = new LuaTable()
    for (let i = 1; i <= count; i += 1) table.set(i, this.value(depth + 1))
    return table
  }
  fields(count: number, depth: number): LuaTable {
    const table = new LuaTable()
    for (let i = 0; i < count; i += 1) {
      const key = this.value(depth + 1)
      table.set(key, this.value(depth + 1))
    }
    return table
  }
  value(depth = 0): LuaValue {
    this.#machine.spend(READ_WORK)
    if (depth > MAX_DEPTH * 4) throw new LuaFault('Bad data format in input.')
    const code = this.unsigned(1)
    if (code < 0x80) return code
    if (code < 0x90) return this.fields(code & 15, depth)
    if (code < 0xa0) return this.list(code & 15, depth)
    if (code < 0xc0) return this.text(code & 31)
    if (code >= 0xe0) return code - 256
    return this.tagged(code, depth)
  }
  tagged(code: number, depth: number): LuaValue {
    if (code === 0xc0) return undefined
    if (code === 0xc2 || code === 0xc3) return code === 0xc3
    if (code >= 0xc4 && code <= 0xc6) return this.text(this.unsigned(2 ** (code - 0xc4)))
    if (code === 0xca) return this.#view.getFloat32(this.take(4))
    if (code === 0xcb) return this.#view.getFloat64(this.take(8))
    if (code >= 0xcc && code <= 0xcf) return this.unsigned(2 ** (code - 0xcc))
    if (code >= 0xd0 && code <= 0xd3) return this.signed(2 ** (code - 0xd0))
    if (code >= 0xd9 && code <= 0xdb) return this.text(this.unsigned(2 ** (code - 0xd9)))
    if (code === 0xdc || code === 0xdd) return this.list(this.unsigned(code === 0xdc ? 2 : 4), depth)
    if (code === 0xde || code === 0xdf) return this.fields(this.unsigned(code === 0xde ? 2 : 4), depth)
    throw new LuaFault('Bad data format in input.')
  }
}

/** At most `limit` values from `offset`; with a limit, the next offset comes first, or -1 at the end. */
function unpack(machine: LuaMachine, text: string, limit: number, offset: number): LuaValue[] {
  if (limit < 0 || offset < 0)
    throw new LuaFault(`Invalid request to unpack with offset of ${offset} and limit of ${text.length}.`)
  if (offset > text.length)
    throw new LuaFault(`Start offset ${offset} greater than input length ${text.length}.`)
  readText(machine, text.length)
  const reader = new Reader(machine, text)
  reader.at = offset
  const values: LuaValue[] = []
  while (!reader.isAtEnd && (limit === 0 || values.length < limit)) {
    if (values.length >= MAX_VALUES) throw new LuaFault('Too many return values for unpack.')
    values.push(reader.value())
  }
  return limit === 0 ? values : [reader.isAtEnd ? -1 : reader.at, ...values]
}

export function addMessagePackLibrary(machine: LuaMachine): void {
  const packAll: Native = (args: Args) => {
    if (args.length === 0) throw badArgument(-1, 'pack', 'MessagePack pack needs input.')
    return [newText(machine, args.map((value) => pack(machine, value, 0)).join(''))]
  }
  const text = (args: Args, name: string): string => textArgument(args, 0, name)
  machine.globals.set(
    'cmsgpack',
    library(
      {
        pack: packAll,
        unpack: (args) => unpack(machine, text(args, 'unpack'), 0, 0),
        unpack_one: (args) =>
          unpack(machine, text(args, 'unpack_one'), 1, integerArgument(args, 1, 'unpack_one', 0)),
        unpack_limit: (args) =>
          unpack(
            machine,
            text(args, 'unpack_limit'),
            integerArgument(args, 1, 'unpack_limit'),
            integerArgument(args, 2, 'unpack_limit', 0),
          ),
      },
      {
        _NAME: 'cmsgpack',
        _VERSION: 'lua-cmsgpack 0.4.0',
        _COPYRIGHT: 'Copyright (C) 2012, Salvatore Sanfilippo',
        _DESCRIPTION: 'MessagePack C implementation for Lua',
      },
    ),
  )
}
