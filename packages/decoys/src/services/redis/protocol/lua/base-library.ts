// The functions that Redis leaves of Lua's base library (reference manual 5.1, section 5.1).
import {
  anyArgument,
  badArgument,
  functionArgument,
  integerArgument,
  native,
  tableArgument,
  textArgument,
  type Args,
  type Native,
} from './arguments.ts'
import { callValue, getIndex, metamethod, setField } from './operations.ts'
import { TooMuchWork } from '../../../../session/line-work.ts'
import type { LuaMachine } from './run.ts'
import {
  isTruthy,
  LuaError,
  LuaFault,
  LuaSyntaxError,
  LuaTable,
  numberText,
  READONLY,
  textToNumber,
  typeOf,
  type LuaValue,
} from './values.ts'

/** Of what is thrown and caught: the host's own errors are slow. */
const CATCH_WORK = 600
const NUMBER_WORK = 15

const addresses = new WeakMap<object, string>()
let lastAddress = 0x7f3c_a0d4_1000

/** Tables and functions show where they lie in memory. */
function addressOf(value: object): string {
  const known = addresses.get(value)
  if (known !== undefined) return known
  lastAddress += 0x40
  const text = `0x${lastAddress.toString(16)}`
  addresses.set(value, text)
  return text
}

export function show(machine: LuaMachine, value: LuaValue): string {
  const handler = typeof value === 'string' ? undefined : metamethod(machine, value, '__tostring')
  if (handler !== undefined) return String(callValue(machine, handler, [value])[0])
  if (value === undefined) return 'nil'
  if (typeof value === 'string') return value
  if (typeof value === 'number') {
    machine.spend(NUMBER_WORK)
    return numberText(value)
  }
  if (typeof value === 'boolean') return String(value)
  return `${typeOf(value)}: ${addressOf(value)}`
}

/** Runs the call; what it throws becomes its values. */
function protect(
  machine: LuaMachine,
  call: () => readonly LuaValue[],
  handle: (error: LuaValue) => readonly LuaValue[],
): readonly LuaValue[] {
  const { depth, line } = machine
  try {
    const values = call()
    machine.spend(values.length / 4)
    return [true, ...values]
  } catch (thrown) {
    Object.assign(machine, { depth, line })
    if (thrown instanceof TooMuchWork) throw thrown
    machine.spend(CATCH_WORK)
    if (thrown instanceof LuaFault) return [false, ...handle(machine.placed(thrown.message).value)]
    if (thrown instanceof LuaError) return [false, ...handle(errorText(thrown.value))]
    throw thrown
  }
}

/** Redis's pcall gives the text of a table that is an error. */
const errorText = (value: LuaValue): LuaValue =>
  value instanceof LuaTable && typeof value.get('err') === 'string' ? value.get('err') : value

function toNumberInBase(machine: LuaMachine, args: Args): LuaValue {
  machine.spend(NUMBER_WORK)
  const base = integerArgument(args, 1, 'tonumber', 10)
  if (base === 10) {
    const value = anyArgument(args, 0, 'tonumber')
    return typeof value === 'string' ? textToNumber(value) : typeof value === 'number' ? value : undefined
  }
  const given = textArgument(args, 0, 'tonumber')
  machine.spend(given.length)
  const text = given.trim().toLowerCase()
  if (base < 2 || base > 36) throw badArgument(1, 'tonumber', 'base out of range')
  const isNumber = /^[\da-z]+$/.test(text) && [...text].every((digit) => parseInt(digit, 36) < base)
  return isNumber ? parseInt(text, base) : undefined
}

const pairsOf = (machine: LuaMachine): Record<string, Native> => {
  const next: Native = (args) => {
    machine.spend(1)
    const table = tableArgument(args, 0, 'next')
    const key = table.next(args[1], machine.spend)
    return key === undefined ? [undefined] : [key, table.get(key)]
  }
  const nextItem: Native = ([table, at]) => {
    machine.spend(1)
    const place = Number(at) + 1
    const value = getIndex(machine, table, place)
    return value === undefined ? [undefined] : [place, value]
  }
  return {
    next,
    pairs: (args) => [native('next', next), tableArgument(args, 0, 'pairs'), undefined],
    ipairs: (args) => [native('ipairs', nextItem), tableArgument(args, 0, 'ipairs'), 0],
  }
}

const rawAccess = (machine: LuaMachine): Record<string, Native> => ({
  rawget: (args) => [tableArgument(args, 0, 'rawget').get(args[1])],
  rawset: (args) => {
    const table = tableArgument(args, 0, 'rawset')
    if (table.isReadonly) throw new LuaError(READONLY)
    setField(machine, table, args[1], args[2])
    return [table]
  },
  rawequal: (args) => [anyArgument(args, 0, 'rawequal') === anyArgument(args, 1, 'rawequal')],
  getmetatable: (args) => {
    const value = anyArgument(args, 0, 'getmetatable')
    if (typeof value === 'string') return [LuaTable.from({ __index: machine.textMethods })]
    const metatable = value instanceof LuaTable ? value.metatable : undefined
    return [metatable?.get('__metatable') ?? metatable]
  },
  setmetatable: (args) => {
    const table = tableArgument(args, 0, 'setmetatable')
    const metatable = args[1] === undefined ? undefined : tableArgument(args, 1, 'setmetatable')
    if (table.isReadonly) throw new LuaError(READONLY)
    if (table.metatable?.get('__metatable') !== undefined)
      throw new LuaFault('cannot change a protected metatable')
    table.metatable = metatable
    return [table]
  },
})

const calls = (machine: LuaMachine): Record<string, Native> => ({
  pcall: (args) => {
    const callee = anyArgument(args, 0, 'pcall')
    // `error` names the function that calls it: here it is not one of Lua.
    if (callee === machine.globals.get('error')) return [false, errorText(args[1])]
    return protect(
      machine,
      () => callValue(machine, callee, args.slice(1)),
      (error) => [error],
    )
  },
  xpcall: (args) =>
    protect(
      machine,
      () => callValue(machine, args[0], []),
      (error) => callValue(machine, args[1], [error]),
    ),
  error: ([value, level]) => {
    if (typeof value === 'string' && level !== 0) throw machine.placed(value)
    throw new LuaError(value, machine.line)
  },
  assert: (args) => {
    if (isTruthy(anyArgument(args, 0, 'assert'))) return args
    if (args.length < 2) throw new LuaFault('assertion failed!')
    throw new LuaFault(textArgument(args, 1, 'assert'))
  },
})

function loading(machine: LuaMachine): Record<string, Native> {
  const load = (script: string, chunk: string): readonly LuaValue[] => {
    try {
      return [machine.load(script, chunk)]
    } catch (thrown) {
      if (!(thrown instanceof LuaSyntaxError)) throw thrown
      return [undefined, thrown.message]
    }
  }
  return {
    loadstring: (args) => {
      const script = textArgument(args, 0, 'loadstring')
      const chunk =
        args[1] === undefined ? `[string "${firstLine(script)}"]` : textArgument(args, 1, 'loadstring')
      return load(script, chunk)
    },
    load: (args) => {
      const read = functionArgument(args, 0, 'load')
      let script = ''
      for (;;) {
        const [piece] = callValue(machine, read, [])
        if (typeof piece !== 'string' || piece === '') return load(script, '=(load)')
        script += piece
        machine.spend(piece.length + 1)
      }
    },
  }
}

const firstLine = (script: string): string =>
  script.includes('\n') ? `${script.split('\n', 1)[0]}...` : script.slice(0, 60)

export function addBaseLibrary(machine: LuaMachine): void {
  const functions: Record<string, Native> = {
    ...pairsOf(machine),
    ...rawAccess(machine),
    ...calls(machine),
    ...loading(machine),
    type: (args) => [typeOf(anyArgument(args, 0, 'type'))],
    tostring: (args) => [show(machine, anyArgument(args, 0, 'tostring'))],
    tonumber: (args) => [toNumberInBase(machine, args)],
    select: (args) => {
      if (args[0] === '#') return [args.length - 1]
      const place = integerArgument(args, 0, 'select')
      const from = place < 0 ? args.length + place : place
      if (from < 1) throw badArgument(0, 'select', 'index out of range')
      machine.spend(args.length / 4)
      return args.slice(from)
    },
    unpack: (args) => {
      const table = tableArgument(args, 0, 'unpack')
      const from = integerArgument(args, 1, 'unpack', 1)
      const to = integerArgument(args, 2, 'unpack', table.length)
      if (to - from >= 8_000) throw new LuaFault('too many results to unpack')
      machine.spend(Math.max(0, to - from))
      return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => table.get(from + i))
    },
    collectgarbage: ([option]) => [option === 'count' ? 31 + machine.work.spent / 1024 : 0],
    gcinfo: () => [31, 0],
  }
  for (const [name, call] of Object.entries(functions)) machine.globals.set(name, native(name, call))
  machine.globals.set('_VERSION', 'Lua 5.1')
  machine.globals.set('_G', machine.globals)
  machine.globals.isStrict = true
  machine.globals.metatable = new LuaTable()
}
