// The library `cjson` that Redis gives to scripts.
import { integerArgument, library, native, textArgument, type Args, type Native } from './arguments.ts'
import { newText } from './operations.ts'
import type { LuaMachine } from './run.ts'
import { KEY_WORK, LuaFault, LuaTable, numberText, typeOf, type LuaValue } from './values.ts'

/** JSON's null; Lua has none. */
const NULL = native('null', () => [])
const MAX_DEPTH = 1_000
/** Deeper nesting would exhaust the stack of the decoy. */
const MAX_NESTING = 200
const SPARSE_RATIO = 2
const SPARSE_SAFE = 10
const VALUE_WORK = 18
const TOKEN_WORK = 5
/** Of each character, as if it were to be escaped. */
const ESCAPE_WORK = 2

function encode(machine: LuaMachine, value: LuaValue, depth = 1): string {
  machine.spend(VALUE_WORK)
  if (value === undefined || value === NULL) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return newText(machine, quote(machine, value))
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new LuaFault('Cannot serialise number: must not be NaN or Inf')
    return numberText(value)
  }
  if (!(value instanceof LuaTable))
    throw new LuaFault(`Cannot serialise ${typeOf(value)}: type not supported`)
  if (depth > Math.min(MAX_DEPTH, MAX_NESTING))
    throw new LuaFault(`Cannot serialise, excessive depth (${depth})`)
  machine.spend(value.size * KEY_WORK)
  const keys = value.keys()
  const size = arraySize(keys)
  if (size > 0) {
    const items = Array.from({ length: size }, (_, i) => encode(machine, value.get(i + 1), depth + 1))
    return newText(machine, `[${items.join(',')}]`)
  }
  const fields = keys.map((key) => `${keyText(machine, key)}:${encode(machine, value.get(key), depth + 1)}`)
  return newText(machine, `{${fields.join(',')}}`)
}

/** The length of an array; 0: it is an object. */
function arraySize(keys: readonly LuaValue[]): number {
  let most = 0
  for (const key of keys) {
    if (typeof key !== 'number' || !Number.isInteger(key) || key < 1) return 0
    most = Math.max(most, key)
  }
  if (most > keys.length * SPARSE_RATIO && most > SPARSE_SAFE)
    throw new LuaFault('Cannot serialise table: excessively sparse array')
  return most
}

function keyText(machine: LuaMachine, key: LuaValue): string {
  if (typeof key === 'string') return newText(machine, quote(machine, key))
  if (typeof key === 'number') return `"${numberText(key)}"`
  throw new LuaFault('Cannot serialise table: table key must be a number or string')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
}

function quote(machine: LuaMachine, text: string): string {
  machine.spend(text.length * ESCAPE_WORK)
  return `"${text.replace(/["\\/\x00-\x1f\x7f]/g, (c) => ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}

interface Reader {
  readonly machine: LuaMachine
  readonly text: string
  at: number
  depth: number
}

const TOKEN =
  /[ \t\r\n]*(?:("(?:[^"\\]|\\.)*")|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(true|false|null)|([[\]{}:,])|($)|(.))/sy

type JsonToken =
  | { readonly kind: 'value'; readonly value: LuaValue; readonly name: string; readonly place: number }
  | { readonly kind: 'mark'; readonly mark: string; readonly name: string; readonly place: number }

const NAMES: Readonly<Record<string, string>> = {
  '[': 'T_ARR_BEGIN',
  ']': 'T_ARR_END',
  '{': 'T_OBJ_BEGIN',
  '}': 'T_OBJ_END',
  ':': 'T_COLON',
  ',': 'T_COMMA',
}

function readToken(reader: Reader): JsonToken {
  TOKEN.lastIndex = reader.at
  const [whole = '', quoted, number, word, mark, end] = TOKEN.exec(reader.text) ?? []
  const place = reader.at + whole.search(/[^ \t\r\n]|$/) + 1
  reader.at += whole.length
  reader.machine.spend(TOKEN_WORK)
  if (quoted !== undefined) return { kind: 'value', value: unquote(quoted), name: 'T_STRING', place }
  if (number !== undefined) return { kind: 'value', value: Number(number), name: 'T_NUMBER', place }
  if (word !== undefined) {
    const value = word === 'null' ? NULL : word === 'true'
    return { kind: 'value', value, name: word === 'null' ? 'T_NULL' : 'T_BOOLEAN', place }
  }
  if (mark !== undefined) return { kind: 'mark', mark, name: NAMES[mark]!, place }
  return { kind: 'mark', mark: '', name: end === undefined ? 'invalid token' : 'T_END', place }
}

const unexpected = (wanted: string, { name, place }: JsonToken): LuaFault =>
  new LuaFault(`Expected ${wanted} but found ${name} at character ${place}`)

const unquote = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code: string | undefined, c: string) => {
    if (code !== undefined) return Buffer.from(String.fromCharCode(parseInt(code, 16))).toString('latin1')
    return { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }[c] ?? c
  })

function readValue(reader: Reader, token: JsonToken): LuaValue {
  if (token.kind === 'value') return token.value
  if (token.mark !== '[' && token.mark !== '{') throw unexpected('value', token)
  if ((reader.depth += 1) > MAX_NESTING)
    throw new LuaFault(`Found too many nested data structures (${reader.depth})`)
  const table = token.mark === '[' ? readArray(reader) : readObject(reader)
  reader.depth -= 1
  return table
}

function readArray(reader: Reader): LuaTable {
  const table = new LuaTable()
  let token = readToken(reader)
  if (token.kind === 'mark' && token.mark === ']') return table
  for (let place = 1; ; place += 1) {
    reader.machine.spend(8)
    table.set(place, readValue(reader, token))
    token = readToken(reader)
    if (token.kind === 'mark' && token.mark === ']') return table
    if (token.kind !== 'mark' || token.mark !== ',') throw unexpected('comma or array end', token)
    token = readToken(reader)
  }
}

function readObject(reader: Reader): LuaTable {
  const table = new LuaTable()
  let token = readToken(reader)
  if (token.kind === 'mark' && token.mark === '}') return table
  for (;;) {
    reader.machine.spend(8)
    if (token.name !== 'T_STRING' || token.kind !== 'value') throw unexpected('object key string', token)
    const colon = readToken(reader)
    if (colon.kind !== 'mark' || colon.mark !== ':') throw unexpected('colon', colon)
    table.set(token.value, readValue(reader, readToken(reader)))
    token = readToken(reader)
    if (token.kind === 'mark' && token.mark === '}') return table
    if (token.kind !== 'mark' || token.mark !== ',') throw unexpected('comma or object end', token)
    token = readToken(reader)
  }
}

function decode(machine: LuaMachine, args: Args): LuaValue {
  const text = textArgument(args, 0, 'decode')
  machine.spend(text.length * ESCAPE_WORK)
  const reader: Reader = { machine, text, at: 0, depth: 0 }
  const value = readValue(reader, readToken(reader))
  const end = readToken(reader)
  if (end.name !== 'T_END') throw unexpected('the end', end)
  return value
}

export function addJsonLibrary(machine: LuaMachine): void {
  const setting =
    (name: string, initial: LuaValue): Native =>
    (args) =>
      args.length === 0 ? [initial] : [typeof initial === 'number' ? integerArgument(args, 0, name) : args[0]]
  machine.globals.set(
    'cjson',
    library(
      {
        encode: (args) => [newText(machine, encode(machine, args[0]))],
        decode: (args) => [decode(machine, args)],
        decode_max_depth: setting('decode_max_depth', MAX_DEPTH),
        encode_max_depth: setting('encode_max_depth', MAX_DEPTH),
        encode_keep_buffer: setting('encode_keep_buffer', true),
        encode_sparse_array: setting('encode_sparse_array', false),
        decode_invalid_numbers: setting('decode_invalid_numbers', true),
        encode_invalid_numbers: setting('encode_invalid_numbers', false),
        encode_number_precision: setting('encode_number_precision', 14),
      },
      { null: NULL, _NAME: 'cjson', _VERSION: '2.1.0' },
    ),
  )
}
