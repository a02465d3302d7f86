// The library `struct` that Redis gives to scripts: values as the bytes of C, by a format such as `>I2s`.
import {
  badArgument,
  integerArgument,
  library,
  numberArgument,
  textArgument,
  type Args,
} from './arguments.ts'
import { newText, readText } from './operations.ts'
import type { LuaMachine } from './run.ts'
import { LuaFault, type LuaValue } from './values.ts'

const MAX_INTEGER_BYTES = 32
const NATIVE_ALIGNMENT = 8
const FORMAT_WORK = 6
const ITEM_WORK = 10
const BYTE_WORK = 3
const SIZES: Readonly<Record<string, number>> = { b: 1, B: 1, h: 2, H: 2, l: 8, L: 8, T: 8, f: 4, d: 8, x: 1 }

interface Item {
  readonly option: string
  readonly size: number
  readonly isLittle: boolean
  readonly alignment: number
}

/** The items of a format; marks of byte order and alignment apply to what follows. */
function readFormat(machine: LuaMachine, format: string, name: string): Item[] {
  machine.spend(format.length * FORMAT_WORK)
  let isLittle = true
  let alignment = 1
  const items: Item[] = []
  for (const [, option = '', digits = ''] of format.matchAll(/([\s\S])((?<=[iIc!])\d*)?/g)) {
    const given = digits === '' ? undefined : Number(digits)
    if (option === ' ') continue
    if (option === '<' || option === '>') isLittle = option === '<'
    else if (option === '!') {
      alignment = given ?? NATIVE_ALIGNMENT
      if (alignment === 0 || (alignment & (alignment - 1)) !== 0)
        throw new LuaFault(`alignment ${alignment} is not a power of 2`)
    } else if (option === 'i' || option === 'I') {
      const size = given ?? 4
      if (size > MAX_INTEGER_BYTES)
        throw new LuaFault(`integral size ${size} is larger than limit of ${MAX_INTEGER_BYTES}`)
      items.push({ option, size, isLittle, alignment })
    } else if (option === 'c') items.push({ option, size: given ?? 1, isLittle, alignment })
    else if (option === 's' || SIZES[option] !== undefined)
      items.push({ option, size: SIZES[option] ?? 0, isLittle, alignment })
    else throw badArgument(0, name, `invalid format option '${option}'`)
  }
  return items
}

function padding({ option, size, alignment }: Item, at: number): number {
  if (option === 'c' || size === 0) return 0
  const step = Math.min(size, alignment)
  return step > 1 ? (step - (at & (step - 1))) & (step - 1) : 0
}

function numberBytes({ option, size, isLittle }: Item, value: number): string {
  const buffer = Buffer.alloc(size)
  if (option === 'f') buffer.writeFloatLE(value)
  else if (option === 'd') buffer.writeDoubleLE(value)
  else {
    let rest = BigInt.asUintN(64, Number.isFinite(value) ? BigInt(Math.trunc(value)) : 2n ** 63n)
    for (let i = 0; i < size; i += 1, rest >>= 8n) buffer[i] = Number(rest & 255n)
  }
  return (isLittle ? buffer : buffer.reverse()).toString('latin1')
}

function packItem(item: Item, args: Args, at: number): string {
  const { option, size } = item
  if (option !== 's' && option !== 'c')
    return numberBytes(item, numberArgument(at < args.length ? args : [...args, undefined], at, 'pack'))
  const text = textArgument(args, at, 'pack')
  if (option === 's') return `${text}\0`
  if (text.length < size) throw badArgument(at + 1, 'pack', 'string too short')
  return size === 0 ? text : text.slice(0, size)
}

function pack(machine: LuaMachine, args: Args): LuaValue[] {
  let text = ''
  let at = 1
  for (const item of readFormat(machine, textArgument(args, 0, 'pack'), 'pack')) {
    machine.spend(ITEM_WORK + Math.min(item.size, MAX_INTEGER_BYTES) * BYTE_WORK)
    text += '\0'.repeat(padding(item, text.length))
    if (item.option === 'x') text += '\0'
    else text += packItem(item, args, at++)
    newText(machine, text)
  }
  return [text]
}

function readNumber({ option, size, isLittle }: Item, bytes: Buffer): number {
  const ordered = isLittle ? bytes : Buffer.from(bytes).reverse()
  if (option === 'f') return ordered.readFloatLE()
  if (option === 'd') return ordered.readDoubleLE()
  let value = 0n
  for (let i = Math.min(size, 8) - 1; i >= 0; i -= 1) value = (value << 8n) | BigInt(ordered[i]!)
  const isSigned = option === option.toLowerCase()
  return Number(isSigned ? BigInt.asIntN(Math.min(size, 8) * 8, value) : value)
}

function unpack(machine: LuaMachine, args: Args): LuaValue[] {
  const text = textArgument(args, 1, 'unpack')
  readText(machine, text.length)
  const bytes = Buffer.from(text, 'latin1')
  let at = integerArgument(args, 2, 'unpack', 1) - 1
  if (at < 0) throw badArgument(2, 'unpack', 'offset must be 1 or greater')
  const tooShort = (): LuaFault => badArgument(1, 'unpack', 'data string too short')
  const values: LuaValue[] = []
  for (const item of readFormat(machine, textArgument(args, 0, 'unpack'), 'unpack')) {
    machine.spend(ITEM_WORK + Math.min(item.size, MAX_INTEGER_BYTES) * BYTE_WORK)
    at += padding(item, at)
    let { size } = item
    if (at + size > bytes.length) throw tooShort()
    if (item.option === 'c') {
      if (size === 0) {
        const length = values.pop()
        if (typeof length !== 'number') throw new LuaFault("format 'c0' needs a previous size")
        size = length
      }
      if (size < 0 || at + size > bytes.length) throw tooShort()
      values.push(newText(machine, bytes.toString('latin1', at, at + size)))
    } else if (item.option === 's') {
      const end = bytes.indexOf(0, at)
      if (end < 0) throw new LuaFault('unfinished string in data')
      size = end - at + 1
      values.push(newText(machine, bytes.toString('latin1', at, end)))
    } else if (item.option !== 'x') values.push(readNumber(item, bytes.subarray(at, at + size)))
    at += size
  }
  return [...values, at + 1]
}

function size(machine: LuaMachine, args: Args): number {
  let total = 0
  for (const item of readFormat(machine, textArgument(args, 0, 'size'), 'size')) {
    if (item.option === 's') throw badArgument(0, 'size', "option 's' has no fixed size")
    if (item.option === 'c' && item.size === 0) throw badArgument(0, 'size', "option 'c0' has no fixed size")
    total += padding(item, total) + item.size
  }
  return total
}

export const addStructLibrary = (machine: LuaMachine): void =>
  machine.globals.set(
    'struct',
    library({
      pack: (args) => pack(machine, args),
      unpack: (args) => unpack(machine, args),
      size: (args) => [size(machine, args)],
    }),
  )
