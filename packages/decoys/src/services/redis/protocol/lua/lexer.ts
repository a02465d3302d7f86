// The words of a Lua script (reference manual 5.1, section 2.1).
import { LuaSyntaxError, textToNumber } from './values.ts'

export interface Token {
  readonly kind: 'name' | 'keyword' | 'symbol' | 'number' | 'text' | 'end'
  /** As it is written; of a text its value. */
  readonly text: string
  /** A text as it is written. */
  readonly source?: string
  readonly number?: number
  readonly line: number
}

const KEYWORDS = new Set(
  `and break do else elseif end false for function if in local nil not or repeat return then true until while`.split(
    ' ',
  ),
)
const MAX_TOKENS = 20_000
const SPACE = /[ \t-\r]+/y
const NAME = /[A-Za-z_]\w*/y
const NUMBER = /(?:\d|\.\d)(?:[eE][+-]?|[\w.])*/y
const SYMBOL = /\.\.\.|\.\.|==|~=|<=|>=|[-+*/%^#<>=(){}[\];:,.]/y
const LONG_OPEN = /\[(=*)\[\r?\n?/y

/** Where the reader is; `name` stands in front of errors. */
interface Reader {
  readonly script: string
  readonly name: string
  at: number
  line: number
}

export function tokenize(script: string, name: string): Token[] {
  const reader: Reader = { script, name, at: 0, line: 1 }
  const tokens: Token[] = []
  for (;;) {
    skipSpace(reader)
    const token = readToken(reader)
    tokens.push(token)
    if (token.kind === 'end') return tokens
    if (tokens.length > MAX_TOKENS) throw new LuaSyntaxError(`${name}:${reader.line}: not enough memory`)
  }
}

function match(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at
  return pattern.exec(reader.script) ?? undefined
}

function advance(reader: Reader, length: number): string {
  const text = reader.script.slice(reader.at, reader.at + length)
  for (const c of text) if (c === '\n') reader.line += 1
  reader.at += length
  return text
}

function skipSpace(reader: Reader): void {
  for (;;) {
    const space = match(reader, SPACE)
    if (space) advance(reader, space[0].length)
    else if (reader.script.startsWith('--', reader.at)) skipComment(reader)
    else return
  }
}

function skipComment(reader: Reader): void {
  advance(reader, 2)
  if (match(reader, LONG_OPEN)) readLong(reader, 'comment')
  else {
    const end = reader.script.indexOf('\n', reader.at)
    advance(reader, (end < 0 ? reader.script.length : end) - reader.at)
  }
}

const fail = ({ name, line }: Reader, message: string, near: string): LuaSyntaxError =>
  new LuaSyntaxError(`${name}:${line}: ${message} near '${near}'`)

function readLong(reader: Reader, what: 'string' | 'comment'): string {
  const [open = '', level = ''] = match(reader, LONG_OPEN)!
  advance(reader, open.length)
  const close = `]${level}]`
  const end = reader.script.indexOf(close, reader.at)
  if (end < 0) {
    advance(reader, reader.script.length - reader.at)
    throw fail(reader, `unfinished long ${what}`, '<eof>')
  }
  const text = advance(reader, end - reader.at)
  advance(reader, close.length)
  return text
}

function textToken(reader: Reader, read: () => string): Token {
  const from = reader.at
  const text = read()
  return { kind: 'text', text, source: reader.script.slice(from, reader.at), line: reader.line }
}

function readToken(reader: Reader): Token {
  const { line, script, at } = reader
  const c = script[at]
  if (c === undefined) return { kind: 'end', text: '<eof>', line }
  if (match(reader, LONG_OPEN)) return textToken(reader, () => readLong(reader, 'string'))
  if (c === '"' || c === "'") return textToken(reader, () => readQuoted(reader, c))
  const name = match(reader, NAME)?.[0]
  if (name !== undefined) {
    advance(reader, name.length)
    return { kind: KEYWORDS.has(name) ? 'keyword' : 'name', text: name, line }
  }
  const digits = match(reader, NUMBER)?.[0]
  if (digits !== undefined) {
    advance(reader, digits.length)
    const number = textToNumber(digits)
    if (number === undefined) throw fail(reader, 'malformed number', digits)
    return { kind: 'number', text: digits, number, line }
  }
  const symbol = match(reader, SYMBOL)?.[0] ?? c
  advance(reader, symbol.length)
  return { kind: 'symbol', text: symbol, line }
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

function readQuoted(reader: Reader, quote: string): string {
  const { script } = reader
  const from = reader.at
  let text = ''
  reader.at += 1
  for (;;) {
    const c = script[reader.at]
    if (c === undefined) throw fail(reader, 'unfinished string', '<eof>')
    if (c === '\n' || c === '\r') throw fail(reader, 'unfinished string', script.slice(from, reader.at))
    reader.at += 1
    if (c === quote) return text
    text += c === '\\' ? readEscape(reader, from) : c
  }
}

function readEscape(reader: Reader, from: number): string {
  const { script } = reader
  const c = script[reader.at]
  if (c === undefined) return ''
  const decimal = /^\d{1,3}/.exec(script.slice(reader.at, reader.at + 3))?.[0]
  reader.at += decimal?.length ?? 1
  if (c === '\n') reader.line += 1
  if (decimal === undefined) return ESCAPES[c] ?? c
  if (Number(decimal) > 255) throw fail(reader, 'escape sequence too large', script.slice(from, reader.at))
  return String.fromCharCode(Number(decimal))
}
