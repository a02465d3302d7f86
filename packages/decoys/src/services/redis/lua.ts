// The small part of Lua that scripts of intruders use: return, calls of redis, KEYS and ARGV, texts, numbers, tables.

export type LuaValue = string | number | boolean | undefined | LuaTable
/** A table as an array, or an error or status reply. */
export type LuaTable = LuaValue[] | { readonly err: string } | { readonly ok: string }

export class LuaSyntaxError extends Error {}
/** It sets a global variable. */
export class LuaReadOnly extends Error {}
/** What the script needs is not acted out. */
export class LuaUnsupported extends Error {}

export interface LuaWorld {
  readonly keys: readonly string[]
  readonly args: readonly string[]
  /** `redis.call` (throws what fails) and `redis.pcall` (answers it). */
  readonly call: (words: readonly string[], isProtected: boolean) => LuaValue
}

const TOKEN =
  /\s*(?:--[^\n]*\s*)*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\d+\.?\d*|[A-Za-z_]\w*|\.\.|[-+*/%#(){}[\],.;=<>:])/y
/** Deeper scripts are not run. */
const MAX_DEPTH = 40
const MAX_TOKENS = 2_000
const MAX_TEXT_LENGTH = 1024 * 1024

function tokenize(script: string): string[] {
  const found: string[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; at < script.trimEnd().length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(script)?.[1]
    if (token === undefined) throw new LuaUnsupported()
    found.push(token)
    if (found.length > MAX_TOKENS) throw new LuaUnsupported()
  }
  return found
}

/** Runs a script of one or more statements, the last of which may return a value. */
export function runLua(script: string, world: LuaWorld): LuaValue {
  return runStatements({ tokens: tokenize(script), at: 0, depth: 0 }, world)
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
  depth: number
}

const peek = ({ tokens, at }: Reader): string | undefined => tokens[at]
const near = (reader: Reader): string => `near '${peek(reader) ?? '<eof>'}'`

function take(reader: Reader, wanted: string): void {
  if (peek(reader) !== wanted) throw new LuaSyntaxError(`'${wanted}' expected ${near(reader)}`)
  reader.at += 1
}

function accept(reader: Reader, wanted: string): boolean {
  if (peek(reader) !== wanted) return false
  reader.at += 1
  return true
}

function runStatements(reader: Reader, world: LuaWorld): LuaValue {
  while (peek(reader) !== undefined) {
    if (accept(reader, ';')) continue
    if (accept(reader, 'return')) {
      const value =
        peek(reader) === undefined || peek(reader) === ';' ? undefined : concatenation(reader, world)
      accept(reader, ';')
      if (peek(reader) !== undefined) throw new LuaSyntaxError(`'<eof>' expected ${near(reader)}`)
      return value
    }
    if (/^[\d"'{+*%#)}\]]/.test(peek(reader)!)) throw new LuaSyntaxError(`unexpected symbol ${near(reader)}`)
    if (peek(reader) !== 'redis') throw unsupportedStatement(reader)
    primary(reader, world)
  }
  return undefined
}

function unsupportedStatement(reader: Reader): Error {
  const isAssignment = /^[A-Za-z_]\w*$/.test(peek(reader) ?? '') && reader.tokens[reader.at + 1] === '='
  if (isAssignment) return new LuaReadOnly()
  const isLoneWord = /^[A-Za-z_]\w*$/.test(peek(reader) ?? '') && reader.tokens.length === reader.at + 1
  if (!isLoneWord) return new LuaUnsupported()
  reader.at += 1
  return new LuaSyntaxError(`'=' expected ${near(reader)}`)
}

const toText = (value: LuaValue): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(Number(value.toPrecision(14)))
  throw new LuaUnsupported()
}

function toNumber(value: LuaValue): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) throw new LuaUnsupported()
  return number
}

function concatenation(reader: Reader, world: LuaWorld): LuaValue {
  const left = sum(reader, world)
  if (!accept(reader, '..')) return left
  const text = toText(left) + toText(concatenation(reader, world))
  if (text.length > MAX_TEXT_LENGTH) throw new LuaUnsupported()
  return text
}

function sum(reader: Reader, world: LuaWorld): LuaValue {
  let value = product(reader, world)
  for (;;) {
    if (accept(reader, '+')) value = toNumber(value) + toNumber(product(reader, world))
    else if (accept(reader, '-')) value = toNumber(value) - toNumber(product(reader, world))
    else return value
  }
}

function product(reader: Reader, world: LuaWorld): LuaValue {
  let value = unary(reader, world)
  for (;;) {
    if (accept(reader, '*')) value = toNumber(value) * toNumber(unary(reader, world))
    else if (accept(reader, '/')) value = toNumber(value) / toNumber(unary(reader, world))
    else if (accept(reader, '%')) {
      const by = toNumber(unary(reader, world))
      value = ((toNumber(value) % by) + by) % by
    } else return value
  }
}

function unary(reader: Reader, world: LuaWorld): LuaValue {
  if (accept(reader, '-')) return -toNumber(unary(reader, world))
  if (accept(reader, '#')) {
    const value = unary(reader, world)
    if (typeof value === 'string' || Array.isArray(value)) return value.length
    throw new LuaUnsupported()
  }
  return primary(reader, world)
}

function primary(reader: Reader, world: LuaWorld): LuaValue {
  if ((reader.depth += 1) > MAX_DEPTH) throw new LuaUnsupported()
  const value = readPrimary(reader, world)
  reader.depth -= 1
  return value
}

function readPrimary(reader: Reader, world: LuaWorld): LuaValue {
  const token = peek(reader)
  if (token === undefined || /^[)}\],.;=<>:*/%+]$/.test(token))
    throw new LuaSyntaxError(`unexpected symbol ${near(reader)}`)
  reader.at += 1
  if (/^["']/.test(token)) return unquote(token)
  if (/^\d/.test(token)) return Number(token)
  switch (token) {
    case 'true':
      return true
    case 'false':
      return false
    case 'nil':
      return undefined
    case '(': {
      const value = concatenation(reader, world)
      take(reader, ')')
      return value
    }
    case '{':
      return list(reader, world, '}')
    case 'KEYS':
      return element(reader, world, world.keys)
    case 'ARGV':
      return element(reader, world, world.args)
    case 'tostring': {
      const [value] = parameters(reader, world)
      return value === undefined ? 'nil' : typeof value === 'boolean' ? String(value) : toText(value)
    }
    case 'tonumber': {
      const number = Number(toText(parameters(reader, world)[0]))
      return Number.isNaN(number) ? undefined : number
    }
    case 'redis':
      return redisFunction(reader, world)
    default:
      throw new LuaUnsupported(token)
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

const unquote = (token: string): string =>
  token
    .slice(1, -1)
    .replace(/\\(\d{1,3}|.)/gs, (_, code: string) =>
      /^\d/.test(code) ? String.fromCharCode(Number(code) & 255) : (ESCAPES[code] ?? code),
    )

function list(reader: Reader, world: LuaWorld, end: string): LuaValue[] {
  const found: LuaValue[] = []
  while (!accept(reader, end)) {
    found.push(concatenation(reader, world))
    if (peek(reader) !== end && !accept(reader, ','))
      throw new LuaSyntaxError(`'${end}' expected ${near(reader)}`)
  }
  return found
}

function parameters(reader: Reader, world: LuaWorld): LuaValue[] {
  take(reader, '(')
  return list(reader, world, ')')
}

function element(reader: Reader, world: LuaWorld, texts: readonly string[]): LuaValue {
  if (!accept(reader, '[')) return [...texts]
  const index = toNumber(concatenation(reader, world))
  take(reader, ']')
  return texts[index - 1]
}

function redisFunction(reader: Reader, world: LuaWorld): LuaValue {
  take(reader, '.')
  const name = peek(reader) ?? ''
  reader.at += 1
  const given = parameters(reader, world)
  switch (name) {
    case 'call':
    case 'pcall':
      return world.call(given.map(toText), name === 'pcall')
    case 'error_reply':
      return { err: toText(given[0]) }
    case 'status_reply':
      return { ok: toText(given[0]) }
    default:
      throw new LuaUnsupported(`redis.${name}`)
  }
}
