// The libraries `table`, `math` and `bit` of Lua (reference manual 5.1, sections 5.5 and 5.6; bitop.luajit.org).
import {
  badArgument,
  integerArgument,
  library,
  numberArgument,
  tableArgument,
  textArgument,
  type Args,
  type Native,
} from './arguments.ts'
import { callValue, isLess, MAX_TEXT_LENGTH, newText } from './operations.ts'
import type { LuaMachine } from './run.ts'
import {
  isTruthy,
  KEY_WORK,
  LuaFault,
  READONLY,
  toText,
  typeOf,
  type LuaTable,
  type LuaValue,
} from './values.ts'

const ITEM_WORK = 2
const COMPARE_WORK = 2
/** Of numbers as integers of 64 bits. */
const INTEGER_WORK = 8

const writable = (args: Args, name: string): LuaTable => {
  const table = tableArgument(args, 0, name)
  if (table.isReadonly) throw new LuaFault(READONLY)
  return table
}

function insert(machine: LuaMachine, args: Args): readonly LuaValue[] {
  const table = writable(args, 'insert')
  machine.spend(10)
  if (args.length === 2) table.set(table.length + 1, args[1])
  else if (args.length === 3) {
    const place = integerArgument(args, 1, 'insert')
    if (place < 1 || place > table.length) table.set(place, args[2])
    else {
      machine.spend(table.length / 16)
      table.insert(place, args[2])
    }
  } else throw new LuaFault("wrong number of arguments to 'insert'")
  return []
}

function remove(machine: LuaMachine, args: Args): readonly LuaValue[] {
  const table = writable(args, 'remove')
  const place = integerArgument(args, 1, 'remove', table.length)
  if (place < 1 || place > table.length) return []
  machine.spend(table.length / 16)
  return [table.removeAt(place)]
}

function concatenate(machine: LuaMachine, args: Args): readonly LuaValue[] {
  const table = tableArgument(args, 0, 'concat')
  const separator = args[1] === undefined ? '' : textArgument(args, 1, 'concat')
  const from = integerArgument(args, 2, 'concat', 1)
  const to = integerArgument(args, 3, 'concat', table.length)
  let text = ''
  for (let i = from; i <= to; i += 1) {
    machine.spend(ITEM_WORK)
    const item = toText(table.get(i))
    if (item === undefined)
      throw new LuaFault(`invalid value (${typeOf(table.get(i))}) at index ${i} in table for 'concat'`)
    text += i === from ? item : newText(machine, separator + item)
    if (text.length > MAX_TEXT_LENGTH) throw new LuaFault('not enough memory')
  }
  return [newText(machine, text)]
}

function sort(machine: LuaMachine, args: Args): readonly LuaValue[] {
  const table = writable(args, 'sort')
  const by = args[1]
  machine.spend(table.length / 4)
  const isBefore = (a: LuaValue, b: LuaValue): boolean => {
    machine.spend(COMPARE_WORK)
    return by === undefined ? isLess(machine, a, b, '__lt') : isTruthy(callValue(machine, by, [a, b])[0])
  }
  table.sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0))
  return []
}

/** The generator of drand48(3) with Redis's seed: each script draws the same numbers. */
function randomNumbers(): { next: () => number; seed: (value: number) => void } {
  const [factor, step, modulus] = [0x5_deec_e66dn, 0xbn, 2n ** 48n]
  let state = 0x330en
  return {
    next() {
      state = (state * factor + step) % modulus
      return Number(state >> 17n)
    },
    seed(value) {
      state = ((BigInt(Math.trunc(value) | 0) & 0xffff_ffffn) << 16n) + 0x330en
    },
  }
}

function random(args: Args, next: () => number): number {
  const share = (next() % 0x7fff_ffff) / 0x7fff_ffff
  if (args.length === 0) return share
  const [low, high, at] =
    args.length === 1
      ? [1, integerArgument(args, 0, 'random'), 0]
      : [integerArgument(args, 0, 'random'), integerArgument(args, 1, 'random'), 1]
  if (low > high) throw badArgument(at, 'random', 'interval is empty')
  return Math.floor(share * (high - low + 1)) + low
}

const ONE_NUMBER = [
  'abs',
  'acos',
  'asin',
  'atan',
  'ceil',
  'cos',
  'cosh',
  'exp',
  'floor',
  'log',
  'log10',
  'sin',
  'sinh',
  'sqrt',
  'tan',
  'tanh',
] as const

function mathFunctions(machine: LuaMachine): Record<string, Native> {
  const numbers = randomNumbers()
  const functions: Record<string, Native> = {}
  for (const name of ONE_NUMBER) functions[name] = (args) => [Math[name](numberArgument(args, 0, name))]
  const best =
    (name: 'max' | 'min'): Native =>
    (args) => {
      const found = numberArgument(args, 0, name)
      return [args.reduce<number>((one, _, i) => Math[name](one, numberArgument(args, i, name)), found)]
    }
  return {
    ...functions,
    max: best('max'),
    min: best('min'),
    atan2: (args) => [Math.atan2(numberArgument(args, 0, 'atan2'), numberArgument(args, 1, 'atan2'))],
    deg: (args) => [numberArgument(args, 0, 'deg') / (Math.PI / 180)],
    rad: (args) => [numberArgument(args, 0, 'rad') * (Math.PI / 180)],
    fmod: (args) => [numberArgument(args, 0, 'fmod') % numberArgument(args, 1, 'fmod')],
    mod: (args) => [numberArgument(args, 0, 'fmod') % numberArgument(args, 1, 'fmod')],
    pow: (args) => [numberArgument(args, 0, 'pow') ** numberArgument(args, 1, 'pow')],
    modf: (args) => {
      const number = numberArgument(args, 0, 'modf')
      return [Math.trunc(number), number - Math.trunc(number)]
    },
    random: (args) => {
      machine.spend(INTEGER_WORK)
      return [random(args, numbers.next)]
    },
    randomseed: (args) => {
      numbers.seed(numberArgument(args, 0, 'randomseed'))
      return []
    },
  }
}

/** To 32 bits, with rounding. */
const bits = (args: Args, at: number, name: string): number => {
  const number = numberArgument(args, at, name)
  return Number(BigInt.asIntN(32, BigInt(Number.isFinite(number) ? Math.round(number) : 0)))
}

const rotate = (value: number, by: number): number => (value << (by & 31)) | (value >>> (32 - (by & 31)))

function bitFunctions(): Record<string, Native> {
  const fold =
    (name: string, combine: (a: number, b: number) => number): Native =>
    (args) => {
      const first = bits(args, 0, name)
      return [args.slice(1).reduce<number>((value, _, i) => combine(value, bits(args, i + 1, name)), first)]
    }
  const shift =
    (name: string, change: (value: number, by: number) => number): Native =>
    (args) => [change(bits(args, 0, name), bits(args, 1, name))]
  return {
    band: fold('band', (a, b) => a & b),
    bor: fold('bor', (a, b) => a | b),
    bxor: fold('bxor', (a, b) => a ^ b),
    bnot: (args) => [~bits(args, 0, 'bnot')],
    tobit: (args) => [bits(args, 0, 'tobit')],
    lshift: shift('lshift', (value, by) => value << (by & 31)),
    rshift: shift('rshift', (value, by) => (value >>> (by & 31)) | 0),
    arshift: shift('arshift', (value, by) => value >> (by & 31)),
    rol: shift('rol', rotate),
    ror: shift('ror', (value, by) => rotate(value, 32 - (by & 31))),
    bswap: (args) => [Buffer.from(Uint32Array.of(bits(args, 0, 'bswap')).buffer).readInt32BE()],
    tohex: (args) => {
      const digits = integerArgument(args, 1, 'tohex', 8)
      const text = (bits(args, 0, 'tohex') >>> 0).toString(16).padStart(8, '0')
      const shown = text.slice(-Math.min(8, Math.abs(digits)))
      return [digits < 0 ? shown.toUpperCase() : shown]
    },
  }
}

const paidIntegers = (machine: LuaMachine, functions: Record<string, Native>): Record<string, Native> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, call]) => [
      name,
      (args: Args) => {
        machine.spend((1 + args.length) * INTEGER_WORK)
        return call(args)
      },
    ]),
  )

export function addTableMathAndBits(machine: LuaMachine): void {
  const { globals } = machine
  const each =
    (name: string): Native =>
    (args) => {
      const table = tableArgument(args, 0, name)
      const next = (key: LuaValue): LuaValue => table.next(key, machine.spend)
      for (let key = next(undefined); key !== undefined; key = next(key)) {
        const isItem = typeof key === 'number' && key <= table.length
        if (name === 'foreachi' && !isItem) continue
        const [value] = callValue(machine, args[1], [key, table.get(key)])
        if (value !== undefined) return [value]
      }
      return []
    }
  globals.set(
    'table',
    library({
      insert: (args) => insert(machine, args),
      remove: (args) => remove(machine, args),
      concat: (args) => concatenate(machine, args),
      sort: (args) => sort(machine, args),
      getn: (args) => [tableArgument(args, 0, 'getn').length],
      maxn: (args) => {
        const table = tableArgument(args, 0, 'maxn')
        machine.spend(table.size * KEY_WORK)
        return [
          table.keys().reduce<number>((most, key) => (typeof key === 'number' && key > most ? key : most), 0),
        ]
      },
      foreach: each('foreach'),
      foreachi: each('foreachi'),
    }),
  )
  globals.set('math', library(mathFunctions(machine), { pi: Math.PI, huge: Infinity }))
  globals.set('bit', library(paidIntegers(machine, bitFunctions())))
}
