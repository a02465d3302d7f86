// Values of Lua 5.1. Texts are latin1, one character a byte.

export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction

export interface LuaFunction {
  readonly name: string
  readonly call: (args: readonly LuaValue[]) => readonly LuaValue[]
}

/** What `error` threw. `line`: where the script was then. */
export class LuaError extends Error {
  readonly value: LuaValue
  line: number | undefined

  constructor(value: LuaValue, line?: number) {
    super(typeof value === 'string' ? value : 'a Lua value')
    this.value = value
    this.line = line
  }
}

/** An error whose text gets the place of the script's current line in front. */
export class LuaFault extends Error {}

/** The script does not compile. */
export class LuaSyntaxError extends Error {}

export const READONLY = 'Attempt to modify a readonly table'

/** Of each key, in a copy of them all. */
export const KEY_WORK = 3

export class LuaTable {
  readonly #items: LuaValue[] = []
  readonly #fields = new Map<LuaValue, LuaValue>()
  /** The order of a traversal that runs. */
  #order: { readonly keys: readonly LuaValue[]; readonly places: ReadonlyMap<LuaValue, number> } | undefined
  metatable: LuaTable | undefined
  isReadonly = false
  /** Reading what is not there is an error: the globals. */
  isStrict = false

  static of(items: readonly LuaValue[]): LuaTable {
    const table = new LuaTable()
    items.forEach((item, i) => table.set(i + 1, item))
    return table
  }

  static from(fields: Readonly<Record<string, LuaValue>>): LuaTable {
    const table = new LuaTable()
    for (const [key, value] of Object.entries(fields)) table.set(key, value)
    return table
  }

  get(key: LuaValue): LuaValue {
    if (typeof key === 'number' && key >= 1 && key <= this.#items.length && Number.isInteger(key))
      return this.#items[key - 1]
    return this.#fields.get(key)
  }

  set(key: LuaValue, value: LuaValue): void {
    if (typeof key === 'number' && Number.isInteger(key) && key >= 1 && key <= this.#items.length + 1)
      this.#setItem(key, value)
    else if (value === undefined) this.#fields.delete(key)
    else this.#fields.set(key, value)
  }

  #setItem(place: number, value: LuaValue): void {
    this.#fields.delete(place)
    if (value === undefined && place > this.#items.length) return
    this.#items[place - 1] = value
    while (this.#items.length > 0 && this.#items.at(-1) === undefined) this.#items.pop()
    for (let next = this.#items.length + 1; this.#fields.has(next); next += 1) {
      this.#items.push(this.#fields.get(next))
      this.#fields.delete(next)
    }
  }

  /** Puts values at 1, 2, …, with the gaps of a table constructor. */
  fill(values: readonly LuaValue[]): void {
    for (const value of values) this.#items.push(value)
    while (this.#items.length > 0 && this.#items.at(-1) === undefined) this.#items.pop()
  }

  get length(): number {
    return this.#items.length
  }

  /** Texts and numbers that are keys, in the order of a traversal. */
  keys(): LuaValue[] {
    const places = this.#items.flatMap((item, i) => (item === undefined ? [] : [i + 1]))
    return [...places, ...this.#fields.keys()]
  }

  /** How many keys a traversal that begins anew looks at. */
  get size(): number {
    return this.#items.length + this.#fields.size
  }

  /** The key behind `key`; undefined at the end. What it looks at is paid. */
  next(key: LuaValue, spend: (units: number) => void): LuaValue {
    if (key === undefined || !this.#order) {
      spend(this.size * KEY_WORK)
      const keys = this.keys()
      this.#order = { keys, places: new Map(keys.map((each, i) => [each, i])) }
    }
    const { keys, places } = this.#order
    let at = key === undefined ? 0 : (places.get(key) ?? keys.length) + 1
    for (; at < keys.length && this.get(keys[at]) === undefined; at += 1) spend(1)
    return keys[at]
  }

  insert(place: number, value: LuaValue): void {
    this.#items.splice(place - 1, 0, value)
  }

  removeAt(place: number): LuaValue {
    return this.#items.splice(place - 1, 1)[0]
  }

  sort(compare: (a: LuaValue, b: LuaValue) => number): void {
    this.#items.sort(compare)
  }
}

export function typeOf(value: LuaValue): string {
  if (value === undefined) return 'nil'
  if (typeof value === 'object') return value instanceof LuaTable ? 'table' : 'function'
  return typeof value
}

export const isTruthy = (value: LuaValue): boolean => value !== undefined && value !== false

/** As C's `%.14g`. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return '-nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [digits = '', power = ''] = value.toExponential(13).split('e')
  const exponent = Number(power)
  const trim = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
  if (exponent < -4 || exponent >= 14) return `${trim(digits)}e${power[0]}${power.slice(1).padStart(2, '0')}`
  return trim(value.toFixed(Math.max(0, 13 - exponent)))
}

/** A longer text is no number: scripts read as many as they like. */
const MAX_NUMBER_LENGTH = 256
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** As C's `strtod`, with white space around; undefined: it is no number. */
export function textToNumber(text: string): number | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  const trimmed = text.replace(/^[ \t-\r]+|[ \t-\r]+$/g, '')
  if (/^[+-]?0x[\da-f]+$/i.test(trimmed)) return parseInt(trimmed.replace(/^\+/, ''), 16)
  return NUMBER.test(trimmed) ? Number(trimmed) : undefined
}

/** The number that arithmetic takes the value for. */
export const toNumber = (value: LuaValue): number | undefined =>
  typeof value === 'number' ? value : typeof value === 'string' ? textToNumber(value) : undefined

/** The text that concatenation takes the value for. */
export const toText = (value: LuaValue): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? numberText(value) : undefined
