// What operators do with values, metatables included (reference manual 5.1, section 2.8).
import type { BinaryOperator } from './syntax.ts'
import {
  isTruthy,
  LuaFault,
  LuaTable,
  READONLY,
  toNumber,
  toText,
  typeOf,
  type LuaFunction,
  type LuaValue,
} from './values.ts'

/** How an error names the value: `local 'a'`. */
export type Describe = () => string | undefined

const MAX_CHAIN = 100
const CALL_WORK = 2
const VALUES_A_UNIT = 4
const LINK_WORK = 2
export const MAX_TEXT_LENGTH = 1024 * 1024

/** The methods of texts; `string` puts them here. */
export interface Machine {
  readonly textMethods: LuaTable
  /** Counts work, and memory that is taken. Throws when there was too much. */
  readonly spend: (work: number) => void
}

export const metamethod = (machine: Machine, value: LuaValue, name: string): LuaValue => {
  if (typeof value === 'string') return name === '__index' ? machine.textMethods : undefined
  return value instanceof LuaTable ? value.metatable?.get(name) : undefined
}

const named = (describe: Describe, value: LuaValue): string => {
  const name = describe()
  return name === undefined ? `a ${typeOf(value)} value` : `${name} (a ${typeOf(value)} value)`
}

export function callValue(
  machine: Machine,
  callee: LuaValue,
  args: readonly LuaValue[],
  describe: Describe = () => undefined,
): readonly LuaValue[] {
  machine.spend(CALL_WORK + args.length / VALUES_A_UNIT)
  if (isFunction(callee)) return callee.call(args)
  const call = metamethod(machine, callee, '__call')
  if (isFunction(call)) return call.call([callee, ...args])
  throw new LuaFault(`attempt to call ${named(describe, callee)}`)
}

export const isFunction = (value: LuaValue): value is LuaFunction =>
  typeof value === 'object' && !(value instanceof LuaTable)

export function getIndex(
  machine: Machine,
  object: LuaValue,
  key: LuaValue,
  describe: Describe = () => undefined,
): LuaValue {
  let from = object
  for (let links = 0; links < MAX_CHAIN; links += 1) {
    if (from instanceof LuaTable) {
      const value = from.get(key)
      if (value !== undefined) return value
      if (from.isStrict)
        throw new LuaFault(
          `Script attempted to access nonexistent global variable '${toText(key) ?? typeOf(key)}'`,
        )
    }
    const handler = metamethod(machine, from, '__index')
    if (handler === undefined) {
      if (from instanceof LuaTable) return undefined
      throw new LuaFault(`attempt to index ${named(describe, from)}`)
    }
    if (isFunction(handler)) return callValue(machine, handler, [from, key])[0]
    machine.spend(LINK_WORK)
    from = handler
  }
  throw new LuaFault('loop in gettable')
}

export function setIndex(
  machine: Machine,
  object: LuaValue,
  key: LuaValue,
  value: LuaValue,
  describe: Describe = () => undefined,
): void {
  let to = object
  for (let links = 0; links < MAX_CHAIN; links += 1) {
    const handler =
      to instanceof LuaTable && to.get(key) !== undefined ? undefined : metamethod(machine, to, '__newindex')
    if (handler === undefined) {
      if (to instanceof LuaTable) return setField(machine, to, key, value)
      throw new LuaFault(`attempt to index ${named(describe, to)}`)
    }
    if (isFunction(handler)) return void callValue(machine, handler, [to, key, value])
    machine.spend(LINK_WORK)
    to = handler
  }
  throw new LuaFault('loop in settable')
}

const FIELD_WORK = 10

export function setField(machine: Machine, table: LuaTable, key: LuaValue, value: LuaValue): void {
  if (table.isReadonly) throw new LuaFault(READONLY)
  if (key === undefined) throw new LuaFault('table index is nil')
  if (typeof key === 'number' && Number.isNaN(key)) throw new LuaFault('table index is NaN')
  machine.spend(FIELD_WORK)
  table.set(key, value)
}

const EVENTS: Readonly<Record<string, string>> = {
  '+': '__add',
  '-': '__sub',
  '*': '__mul',
  '/': '__div',
  '%': '__mod',
  '^': '__pow',
  '..': '__concat',
}

function calculate(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '%':
      return a - Math.floor(a / b) * b
    default:
      return a ** b
  }
}

/** The value of `a operator b`. */
export function operate(
  machine: Machine,
  operator: BinaryOperator,
  a: LuaValue,
  b: LuaValue,
  describe: (isLeft: boolean) => string | undefined,
): LuaValue {
  switch (operator) {
    case '==':
      return isEqual(machine, a, b)
    case '~=':
      return !isEqual(machine, a, b)
    case '<':
      return isLess(machine, a, b, '__lt')
    case '>':
      return isLess(machine, b, a, '__lt')
    case '<=':
      return isLess(machine, a, b, '__le')
    case '>=':
      return isLess(machine, b, a, '__le')
    case '..':
      return concatenate(machine, a, b, describe)
    default: {
      payNumbers(machine, a, b, 'string')
      const [left, right] = [toNumber(a), toNumber(b)]
      if (left !== undefined && right !== undefined) return calculate(operator, left, right)
      const handler = handlerOf(machine, a, b, EVENTS[operator]!)
      if (handler !== undefined) return callValue(machine, handler, [a, b])[0]
      const isLeft = left === undefined
      throw new LuaFault(`attempt to perform arithmetic on ${named(() => describe(isLeft), isLeft ? a : b)}`)
    }
  }
}

const handlerOf = (machine: Machine, a: LuaValue, b: LuaValue, name: string): LuaValue =>
  (typeof a === 'string' ? undefined : metamethod(machine, a, name)) ??
  (typeof b === 'string' ? undefined : metamethod(machine, b, name))

function concatenate(
  machine: Machine,
  a: LuaValue,
  b: LuaValue,
  describe: (isLeft: boolean) => string | undefined,
): LuaValue {
  payNumbers(machine, a, b, 'number')
  const [left, right] = [toText(a), toText(b)]
  if (left !== undefined && right !== undefined) return newText(machine, left + right)
  const handler = handlerOf(machine, a, b, '__concat')
  if (handler !== undefined) return callValue(machine, handler, [a, b])[0]
  const isLeft = left === undefined
  throw new LuaFault(`attempt to concatenate ${named(() => describe(isLeft), isLeft ? a : b)}`)
}

const CHARACTERS_A_WORK = 16
const NUMBER_WORK = 15

/** Counts the memory of a text that a script makes. */
export function newText(machine: Machine, text: string): string {
  readText(machine, text.length)
  if (text.length > MAX_TEXT_LENGTH) throw new LuaFault('not enough memory')
  return text
}

/** Pays for a look at so many characters. */
export const readText = (machine: Machine, length: number): void => machine.spend(length / CHARACTERS_A_WORK)

/** Numbers take time to read and to write. */
const payNumbers = (machine: Machine, a: LuaValue, b: LuaValue, type: 'number' | 'string'): void => {
  if (typeof a === type || typeof b === type) machine.spend(NUMBER_WORK)
}

/** Of two texts, as long as they are alike. */
function payComparison(machine: Machine, a: string, b: string): void {
  machine.spend(Math.min(a.length, b.length) / CHARACTERS_A_WORK)
}

function isEqual(machine: Machine, a: LuaValue, b: LuaValue): boolean {
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) payComparison(machine, a, b)
  if (a === b) return true
  if (!(a instanceof LuaTable) || !(b instanceof LuaTable)) return false
  const handler = a.metatable?.get('__eq')
  return handler !== undefined && handler === b.metatable?.get('__eq')
    ? isTruthy(callValue(machine, handler, [a, b])[0])
    : false
}

export function isLess(machine: Machine, a: LuaValue, b: LuaValue, event: '__lt' | '__le'): boolean {
  if (typeof a === 'number' && typeof b === 'number') return event === '__lt' ? a < b : a <= b
  if (typeof a === 'string' && typeof b === 'string') {
    payComparison(machine, a, b)
    return event === '__lt' ? a < b : a <= b
  }
  const handler = typeOf(a) === typeOf(b) ? handlerOf(machine, a, b, event) : undefined
  if (handler !== undefined) return isTruthy(callValue(machine, handler, [a, b])[0])
  const [left, right] = [typeOf(a), typeOf(b)]
  throw new LuaFault(
    left === right ? `attempt to compare two ${left} values` : `attempt to compare ${left} with ${right}`,
  )
}

export function negate(machine: Machine, value: LuaValue, describe: Describe): LuaValue {
  const number = toNumber(value)
  if (number !== undefined) return -number
  const handler = metamethod(machine, value, '__unm')
  if (handler !== undefined) return callValue(machine, handler, [value, value])[0]
  throw new LuaFault(`attempt to perform arithmetic on ${named(describe, value)}`)
}

export function lengthOf(value: LuaValue, describe: Describe): number {
  if (typeof value === 'string' || value instanceof LuaTable) return value.length
  throw new LuaFault(`attempt to get length of ${named(describe, value)}`)
}
